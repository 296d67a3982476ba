package dev.escapement.state.snapshot;

/**
 * The poses of any number of slots, in blocks; a slot may be free. Grows block by block without moving poses, and never shrinks.
 *
 * <p>The first block of a world below {@value PoseBlock#CAPACITY} bodies is smaller; a larger one replaces it when the world grows.
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
     * @param preallocatedBodies the number of bodies that fit without further allocation
     */
    public PoseBlocks(int preallocatedBodies) {
        this(preallocatedBodies, PoseLayout.PLAIN);
    }

    /**
     * Creates room for a number of bodies.
     *
     * @param preallocatedBodies the number of bodies that fit without further allocation
     * @param layout             the components of a pose
     */
    public PoseBlocks(int preallocatedBodies, PoseLayout layout) {
        channelCount = layout.channels().size();
        ensureRoom(preallocatedBodies);
    }

    /** {@return the number of slots, which are numbered from 0} */
    public int slotCount() {
        return slotCount;
    }

    /** {@return the number of channels of each pose} */
    public int channelCount() {
        return channelCount;
    }

    /** {@return the number of blocks that the slots fill; the last one may be partly used} */
    public int blockCount() {
        return (slotCount + PoseBlock.MASK) >>> PoseBlock.SHIFT;
    }

    /**
     * {@return the block itself, not a copy}
     *
     * @param index 0 to {@link #blockCount()} - 1
     */
    public PoseBlock block(int index) {
        return blocks[index];
    }

    /**
     * {@return the block that holds a slot; the slot's index within it is {@code slot & PoseBlock.MASK}}
     *
     * @param slot 0 to {@link #slotCount()} - 1
     */
    public PoseBlock blockOf(int slot) {
        return blocks[slot >>> PoseBlock.SHIFT];
    }

    /**
     * {@return how many of the snapshot's slots lie in a block, with or without a body, 1 to {@value PoseBlock#CAPACITY}}
     *
     * @param index 0 to {@link #blockCount()} - 1
     */
    public int slotsIn(int index) {
        return Math.min(PoseBlock.CAPACITY, slotCount - (index << PoseBlock.SHIFT));
    }

    /**
     * Sets the number of slots. Grows where needed.
     *
     * @param slots the new number
     * @throws IllegalArgumentException if negative
     */
    public void resize(int slots) {
        ensureRoom(slots);
        slotCount = slots;
    }

    void ensureRoom(int slots) {
        if (slots < 0) {
            throw new IllegalArgumentException("the number of slots must not be negative, but is " + slots);
        }
        int needed = (slots + PoseBlock.MASK) >>> PoseBlock.SHIFT;
        int room = PoseBlock.roomFor(slots);
        if (blocks.length > 0 && blocks[0].room() < room) {
            blocks[0] = new PoseBlock(blocks[0], room);
        }
        if (needed > blocks.length) {
            PoseBlock[] grown = new PoseBlock[needed];
            System.arraycopy(blocks, 0, grown, 0, blocks.length);
            for (int i = blocks.length; i < needed; i++) {
                grown[i] = new PoseBlock(channelCount, i == 0 ? room : PoseBlock.CAPACITY);
            }
            blocks = grown;
        }
    }
}
