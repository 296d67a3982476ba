package dev.escapement.state.snapshot;

/**
 * The poses of any number of slots, in blocks; a slot may have no body. Grows block by block without moving poses, and never shrinks.
 *
 * <p>Not thread-safe: see {@link Snapshot}.
 *
 * @see PoseBlock
 */
public final class PoseBlocks {

    private final int channelCount;
    private PoseBlock[] blocks = new PoseBlock[0];
    private int slotCount;

    /**
     * Creates room for a number of bodies.
     *
     * @param preallocatedBodies how many bodies fit before anything is allocated
     */
    public PoseBlocks(int preallocatedBodies) {
        this(preallocatedBodies, PoseLayout.PLAIN);
    }

    /**
     * Creates room for a number of bodies.
     *
     * @param preallocatedBodies how many bodies fit before anything is allocated
     * @param layout             what a pose consists of
     */
    public PoseBlocks(int preallocatedBodies, PoseLayout layout) {
        channelCount = layout.channels().size();
        reserve(preallocatedBodies);
    }

    /**
     * How many slots there are.
     *
     * @return slots, numbered from 0
     */
    public int slotCount() {
        return slotCount;
    }

    /**
     * How many channels each pose has.
     *
     * @return as many as the {@link PoseLayout} says
     */
    public int channelCount() {
        return channelCount;
    }

    /**
     * How many blocks the slots fill.
     *
     * @return blocks; the last one may be partly used
     */
    public int blockCount() {
        return (slotCount + PoseBlock.MASK) >>> PoseBlock.SHIFT;
    }

    /**
     * One block.
     *
     * @param index 0 to {@link #blockCount()} - 1
     * @return the block itself, not a copy
     */
    public PoseBlock block(int index) {
        return blocks[index];
    }

    /**
     * The block that holds a slot.
     *
     * @param slot 0 to {@link #slotCount()} - 1
     * @return the block; the slot's index within it is {@code slot & PoseBlock.MASK}
     */
    public PoseBlock blockOf(int slot) {
        return blocks[slot >>> PoseBlock.SHIFT];
    }

    /**
     * How many slots of a block are in use.
     *
     * @param index 0 to {@link #blockCount()} - 1
     * @return 1 to {@value PoseBlock#CAPACITY}
     */
    public int slotsIn(int index) {
        return Math.min(PoseBlock.CAPACITY, slotCount - (index << PoseBlock.SHIFT));
    }

    /**
     * Changes the number of slots, growing where needed.
     *
     * @param slots how many there are from now on
     * @throws IllegalArgumentException if negative
     */
    public void resize(int slots) {
        reserve(slots);
        slotCount = slots;
    }

    private void reserve(int slots) {
        if (slots < 0) {
            throw new IllegalArgumentException("the number of slots must not be negative, but is " + slots);
        }
        int needed = (slots + PoseBlock.MASK) >>> PoseBlock.SHIFT;
        if (needed > blocks.length) {
            PoseBlock[] grown = new PoseBlock[needed];
            System.arraycopy(blocks, 0, grown, 0, blocks.length);
            for (int i = blocks.length; i < needed; i++) {
                grown[i] = new PoseBlock(channelCount);
            }
            blocks = grown;
        }
    }
}
