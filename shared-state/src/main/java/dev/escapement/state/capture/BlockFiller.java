package dev.escapement.state.capture;

import dev.escapement.state.snapshot.PoseBlock;

/**
 * Writes whole blocks of poses in place.
 *
 * @see PoseWriter#fillAll
 */
@FunctionalInterface
public interface BlockFiller {

    /**
     * Writes the poses of a block: all seven components of each body. A component that is not written keeps the value of any earlier tick.
     * Slots without a body are not shown, so any value may be written there.
     *
     * @param firstSlot the slot of the block's first body
     * @param count     how many slots to write, at indices 0 to {@code count - 1} of the block's arrays
     * @param block     the arrays to write into, valid during this call only
     */
    void fill(int firstSlot, int count, PoseBlock block);
}
