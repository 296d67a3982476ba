package dev.escapement.state.snapshot;

/**
 * The poses of any number of bodies, in blocks. Grows block by block and never shrinks, so that growing moves nothing.
 *
 * <p>Not thread-safe: see {@link Snapshot}.
 *
 * @see PoseBlock
 */
public final class PoseBlocks {

    private PoseBlock[] blocks = new PoseBlock[0];
    private int bodyCount;

    /**
     * Creates room for a number of bodies.
     *
     * @param preallocatedBodies how many bodies fit before anything is allocated
     */
    public PoseBlocks(int preallocatedBodies) {
        reserve(preallocatedBodies);
    }

    /**
     * How many bodies there are.
     *
     * @return bodies in slots 0 to {@code bodyCount() - 1}
     */
    public int bodyCount() {
        return bodyCount;
    }

    /**
     * How many blocks those bodies fill.
     *
     * @return blocks, the last one perhaps in part
     */
    public int blockCount() {
        return (bodyCount + PoseBlock.MASK) >>> PoseBlock.SHIFT;
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
     * The block that holds a body.
     *
     * @param body a slot, 0 to {@link #bodyCount()} - 1
     * @return the block; the body's index within it is {@code body & PoseBlock.MASK}
     */
    public PoseBlock blockOf(int body) {
        return blocks[body >>> PoseBlock.SHIFT];
    }

    /**
     * How many bodies of a block exist.
     *
     * @param index 0 to {@link #blockCount()} - 1
     * @return 1 to {@value PoseBlock#CAPACITY}
     */
    public int bodiesIn(int index) {
        return Math.min(PoseBlock.CAPACITY, bodyCount - (index << PoseBlock.SHIFT));
    }

    /**
     * Changes the number of bodies, growing where needed.
     *
     * @param bodies how many there are from now on
     * @throws IllegalArgumentException if negative
     */
    public void resize(int bodies) {
        reserve(bodies);
        bodyCount = bodies;
    }

    private void reserve(int bodies) {
        if (bodies < 0) {
            throw new IllegalArgumentException("the number of bodies must not be negative, but is " + bodies);
        }
        int needed = (bodies + PoseBlock.MASK) >>> PoseBlock.SHIFT;
        if (needed > blocks.length) {
            PoseBlock[] grown = new PoseBlock[needed];
            System.arraycopy(blocks, 0, grown, 0, blocks.length);
            for (int i = blocks.length; i < needed; i++) {
                grown[i] = new PoseBlock();
            }
            blocks = grown;
        }
    }
}
