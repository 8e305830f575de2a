//! Situations of SRTF's predictor, sampler, choice and fairness.

use crate::cover::points;

points! {
    DURATION_MOST = "srtf/starts: a duration saturates", "SRTF, section 4; srtf.md, rule 8";
    ACTIVE_MOST = "srtf/predictor: active cycles saturate", "SRTF, section 4; srtf.md, rule 9";
    RESLICED =
        "srtf/predictor: a block's duration is taken for a slice",
        "SRTF, section 4; srtf.md, rule 10";
    SAME_SLICE =
        "srtf/predictor: a slice has its duration already", "SRTF, section 4; srtf.md, rule 10";
    NONE_LEFT =
        "srtf/predictor: no block is left by the estimate", "SRTF, section 4; srtf.md, rule 11";
    RESULT_AND_COPY =
        "srtf/predictor: a result beside a copy of the same kernel",
        "SRTF, section 5.1.1; srtf.md, rule 14";
    KNOWN_BEFORE = "srtf/predictor: a copy comes too late", "SRTF, section 5.1.1; srtf.md, rule 14";
    COPIED = "srtf/predictor: a copy is taken", "SRTF, section 5.1.1; srtf.md, rule 14";
    SAMPLE_BEGINS = "srtf/sampler: a sample begins", "SRTF, section 5.1.1; srtf.md, rule 14";
    SAMPLE_ENDS =
        "srtf/sampler: as many blocks have ended as a sample has",
        "SRTF, section 5.1.1; srtf.md, rule 14";
    SAMPLE_CUT =
        "srtf/sampler: the sampled kernel has no block left",
        "SRTF, section 5.1.1; srtf.md, rule 14";
    ALONE =
        "srtf/sampler: a kernel comes alone, and is not sampled",
        "SRTF, section 5.1.1; srtf.md, rule 14";
    SAMPLED_FIRST = "srtf/choice: the sampled kernel", "SRTF, section 5.1.1; srtf.md, rule 13";
    LEAST = "srtf/choice: the least remaining time", "SRTF, section 5.1.1; srtf.md, rule 13";
    EQUALS = "srtf/choice: the older one of equal times", "SRTF, section 5.1.1; srtf.md, rule 13";
    OLDEST = "srtf/choice: nothing is known, the oldest", "SRTF, section 5.1.1; srtf.md, rule 13";
    GIVES_WAY =
        "srtf/choice: the fastest one gives way at its limit",
        "SRTF, section 5.1.2; srtf.md, rule 17";
    NOBODY_ELSE =
        "srtf/choice: at its limit, and nobody to give way to",
        "SRTF, section 5.1.2; srtf.md, rule 17";
    SHARING_BEGINS = "srtf/fairness: sharing begins", "SRTF, section 5.1.2; srtf.md, rule 16";
    SHARING_ENDS = "srtf/fairness: sharing ends", "SRTF, section 5.1.2; srtf.md, rule 16";
    FAIR = "srtf/fairness: the exclusive schedule is fair", "SRTF, section 5.1.2; srtf.md, rule 16";
    SHARED_NO_BETTER =
        "srtf/fairness: unfair, and the shared schedule is no fairer",
        "SRTF, section 5.1.2; srtf.md, rule 16";
}
