package dev.escapement.bench.view;

import dev.escapement.bench.compare.TwoLatestPicture.AlphaRule;

/** How the left side of a split window is made. */
enum LoopRule {
    /** The newest snapshot, whenever it came. */
    NEWEST("newest snapshot"),
    /** The two latest snapshots, blended by the time since the newest arrived. */
    BY_ARRIVAL("two latest by arrival"),
    /** A second world whose steps run in the loop that draws, see {@link AccumulatorLoop}. */
    ACCUMULATOR("accumulator in the render loop");

    private final String title;

    LoopRule(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** The rule for snapshots of the service; not asked of a loop that has a world of its own. */
    AlphaRule alpha() {
        return this == BY_ARRIVAL ? AlphaRule.byArrival() : AlphaRule.newest();
    }
}
