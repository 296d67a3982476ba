package dev.escapement.state.capture.model;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The world at one tick.
 *
 * @param tick         its number
 * @param origin       where positions are measured from: x, y, z
 * @param bodies       by slot
 * @param broken       slots in which something interrupted a motion
 * @param snapping     slots of bodies that are not blended
 * @param jumps        by how much bodies jumped beside their motion, by slot
 * @param poseVersions by block, the tick that changed its poses last
 * @param bodyVersions by block, the tick that changed its bodies last
 */
record Moment(
        long tick,
        List<Double> origin,
        SortedMap<Integer, ModelBody> bodies,
        BitSet broken,
        BitSet snapping,
        Map<Integer, double[]> jumps,
        List<Long> poseVersions,
        List<Long> bodyVersions) {

    /** One more than the highest slot with a body. */
    int slotCount() {
        return bodies.isEmpty() ? 0 : bodies.lastKey() + 1;
    }

    boolean isBroken(int slot) {
        return broken.get(slot) || snapping.get(slot);
    }
}
