use super::{run, Case, LineRequest, Settings, Summary};
use crate::diagnostic::rendered;

fn case(text: &str) -> Case {
    let text = format!("case,id,arrive_cycle,addr_hex,rw\n{text}");
    Case::read("list.csv", &text).unwrap().remove(0)
}

#[test]
fn a_burst_mode_takes_bus_cycles_and_queue_along_unless_they_are_set() {
    let of = |pairs: &[(&str, &str)]| {
        let channel = Settings::from_pairs(pairs.iter().copied()).unwrap().channel;
        (channel.burst_bytes, channel.burst_cycles, channel.queue)
    };
    assert_eq!(of(&[]), (128, 4, 16));
    for value in ["bl8", "64"] {
        assert_eq!(of(&[("burst", value)]), (64, 2, 32));
        assert_eq!(of(&[("burst_bytes", value)]), (64, 2, 32));
    }
    assert_eq!(of(&[("burst", "bl8"), ("burst", "bl16")]), (128, 4, 16));
    assert_eq!(of(&[("burst", "32")]), (32, 1, 64));
    for order in [[0, 1, 2], [2, 1, 0]] {
        let pairs = [("queue", "7"), ("burst_cycles", "3"), ("burst", "bl8")];
        assert_eq!(of(&order.map(|index| pairs[index])), (64, 3, 7));
    }
}

#[test]
fn every_key_can_be_set_to_what_it_is() {
    assert!(Settings::keys().contains(&"address.bank_bits".to_owned()));
    let pairs = [("scheduler", "open-row"), ("address.bank_bits", "[7, 12, 13, 14]"), ("cl", "15")];
    let settings = Settings::from_pairs(pairs).unwrap();
    assert_eq!((settings.channel.cl, &settings.address.bank_bits[..]), (15, &[7, 12, 13, 14][..]));
    let capped = Settings::from_pairs([("scheduler", "open-row"), ("row_hit_cap", "4")]);
    assert_eq!(capped.unwrap_err().to_string(), "row_hit_cap = 4");
}

#[test]
fn a_list_out_of_order_runs_in_order_of_arrival_and_keeps_its_own() {
    let forward = case("a,0,10,0,R\na,1,20,80,R\na,2,30,2000,W\n");
    let mut backward = forward.clone();
    backward.requests.reverse();
    let settings = Settings::default();
    let mut complete = run(&settings, &backward).complete;
    complete.reverse();
    assert_eq!(complete, run(&settings, &forward).complete);
    assert_eq!(complete, [39, 43, 51]);
}

#[test]
fn a_summary_counts_from_the_first_arrival_to_the_last_data() {
    let request = |arrive_cycle| LineRequest {
        id: 0,
        arrive_cycle,
        address: 0,
        write: false,
        address_span: 0..0,
    };
    let requests: Vec<LineRequest> = (0..200).map(|index| request(10 + index)).collect();
    let case = Case { name: "a".to_owned(), requests };
    // Latencies 1 to 200.
    let complete: Vec<u64> = (0..200).map(|index| 10 + index + index + 1).collect();
    let summary = Summary::new(&case, &complete, 50);
    assert_eq!((summary.p50, summary.p99, summary.max), (100, 199, 200));
    assert_eq!((summary.mean, summary.row_hit_rate), (100.5, 0.75));
    assert_eq!(summary.cycles, 399);
    assert!((summary.bytes_per_cycle - 200.0 * 128.0 / 399.0).abs() < 1e-12);
}

#[test]
fn quoted_names_blank_lines_and_bare_or_prefixed_addresses_are_read() {
    let text = "id,case,rw,addr_hex,arrive_cycle\n\n7,\"a, \"\"b\"\"\",w,0XFf,3\n";
    let cases = Case::read("list.csv", text).unwrap();
    assert_eq!(cases[0].name, "a, \"b\"");
    let request = &cases[0].requests[0];
    assert_eq!(
        (request.id, request.address, request.write, request.arrive_cycle),
        (7, 255, true, 3)
    );
    assert_eq!(&text[request.address_span.clone()], "0XFf");
}

#[test]
fn a_bad_field_is_pointed_at() {
    let text = "case,id,arrive_cycle,addr_hex,rw\na,0,4,0,R\na,1,5q,80,R\n";
    let error = Case::read("list.csv", text).unwrap_err();
    let expected = [
        "  × list.csv, line 3: `arrive_cycle` is `5q`",
        "   ╭─[list.csv:3:5]",
        " 2 │ a,0,4,0,R",
        " 3 │ a,1,5q,80,R",
        "   ·     ─┬",
        "   ·      ╰── arrive_cycle",
        "   ╰────",
        "  help: expected a whole number of at most 281474976710656",
    ];
    assert!(rendered(&error).lines().eq(expected), "{}", rendered(&error));
}
