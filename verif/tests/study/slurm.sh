#!/usr/bin/env bash
# A study on a Slurm of one node, which is made here, with the node killed in the middle; its table must
# be that of the same study on this machine. For root on Debian, after
# `apt install slurm-wlm munge`; stops what it started. Usage: slurm.sh path/to/blockyard
set -euo pipefail
blockyard=$(realpath "$1")
folder=$(mktemp -d)
host=$(hostname -s)
export SLURM_CONF=$folder/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=one
SlurmctldHost=$host
SlurmUser=root
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ReturnToService=2
NodeName=$host CPUs=2
PartitionName=main Nodes=$host Default=YES
END
mkdir -p "$folder/state" "$folder/spool" /run/munge
chown munge /run/munge
pgrep -x munged >/dev/null || su -s /bin/sh munge -c /usr/sbin/munged
slurmctld && sleep 1 && slurmd && sleep 3
trap 'kill "$(cat "$folder/slurmd.pid")" "$(cat "$folder/slurmctld.pid")"' EXIT

cd "$folder"
study=(study --scheduler "rr,rr+claso(pa=2,pl=0)" --workload bfs --set graph.kind=rmat --set graph.scale=9
    --axis seed=1..60)
"$blockyard" "${study[@]}" --out here >/dev/null
"$blockyard" "${study[@]}" --out there --on slurm --per-task 10 >/dev/null &
sleep 5
steps=$(pgrep -x slurmstepd || true)
kill -9 "$(cat slurmd.pid)" $steps
sleep 1
slurmd
wait $!
cmp here/table.csv there/table.csv
test "$(wc -l <there/runs.jsonl)" = 121
echo "equal tables, each run once"
