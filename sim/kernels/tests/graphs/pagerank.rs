//! PageRank.

use blockyard_contract::port::LaunchMode;
use blockyard_kernels::pagerank::{first_rank, reference_pagerank, PagerankOptions};
use blockyard_workloads::graph::SetError;

use super::{graph, interleaved, left, program, run, MODES};

#[test]
fn an_iteration_shares_ranks_out_and_then_damps_them() {
    for iterations in ["1", "7"] {
        let settings = [("iterations", iterations)];
        let mut pagerank = program("pagerank", &graph(3, &[(0, 1)]), &settings, LaunchMode::Flat);
        let launches = interleaved::run(&mut *pagerank, 0, |_| {});
        let names: Vec<_> = launches.iter().map(|launch| &*launch.name).collect();
        let count = iterations.parse().expect("a number");
        assert_eq!(names, ["pagerank1", "pagerank2"].repeat(count));
    }
}

#[test]
fn in_a_circle_all_ranks_are_alike_and_a_target_of_many_has_more() {
    let rank = |edges: &[(u32, u32)]| {
        run(program("pagerank", &graph(4, edges), &[], LaunchMode::Flat), 3).0
    };
    let circle = rank(&[(0, 1), (1, 2), (2, 3), (3, 0)]);
    assert!(
        circle.iter().all(|&rank| rank == circle[0] && first_rank(4) - rank < 64),
        "{circle:?}"
    );
    let star = rank(&[(1, 0), (2, 0), (3, 0), (0, 1)]);
    assert!(star[0] > star[1] && star[1] > star[2] && star[2] == star[3], "{star:?}");
}

#[test]
fn copies_of_an_edge_get_a_share_each() {
    let csr = graph(3, &[(0, 1), (0, 1), (0, 2)]);
    let ranks = run(program("pagerank", &csr, &[("iterations", "1")], LaunchMode::Flat), 1).0;
    assert!(ranks[1] > ranks[2]);
    assert_eq!(ranks, reference_pagerank(&csr, 1));
}

#[test]
fn one_vertex_that_leads_to_itself_keeps_nearly_all() {
    let csr = graph(1, &[(0, 0)]);
    let ranks = run(program("pagerank", &csr, &[], LaunchMode::Flat), 1).0;
    assert!(u32::MAX - ranks[0] < 64, "{ranks:?}");
}

#[test]
fn without_vertices_there_is_nothing_to_launch() {
    for mode in MODES {
        let mut pagerank = program("pagerank", &graph(0, &[]), &[], mode);
        assert!(pagerank.start().is_empty());
        assert_eq!(pagerank.verify(), Ok(()));
        assert!(left(&*pagerank).is_empty());
    }
}

#[test]
fn unknown_keys_and_bad_values_are_refused() {
    let mut options = PagerankOptions::default();
    let error = SetError::unknown("pagerank.source", PagerankOptions::KEYS);
    assert_eq!(options.set("pagerank.source", "1"), Err(error));
    for value in ["0", "10001", "x"] {
        let error = options.set("pagerank.iterations", value).expect_err(value);
        assert_eq!(error.to_string(), format!("`pagerank.iterations` cannot be `{value}`"));
    }
    assert_eq!(options, PagerankOptions::default(), "refused settings change nothing");
    assert_eq!(options.set("pagerank.iterations", "10000"), Ok(()));
}
