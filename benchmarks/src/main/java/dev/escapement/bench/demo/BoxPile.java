package dev.escapement.bench.demo;

import java.util.SplittableRandom;

/**
 * Cubes of one metre above a floor at y = 0, in layers of a square grid, each a little off its place so that the pile
 * topples. The same for the same number of boxes, in every engine and on every machine.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param boxes how many, 0 or more
 * @see PushControls
 */
public record BoxPile(int boxes) {

    /** Half the edge of a box, in metres. */
    public static final float HALF_EXTENT = 0.5f;

    /** The mass of a box, in kilograms. */
    public static final float MASS_KILOGRAMS = 100f;

    private static final int LAYERS = 10;
    private static final long SEED = 100;
    private static final double SPACING = 1.25;
    private static final double JITTER = 0.2;

    /**
     * Checks the number.
     *
     * @param boxes how many
     * @throws IllegalArgumentException if negative
     */
    public BoxPile {
        if (boxes < 0) {
            throw new IllegalArgumentException("a pile cannot have " + boxes + " boxes");
        }
    }

    /** Receives the place of a box. */
    @FunctionalInterface
    public interface Placement {
        /**
         * Places a box without rotation.
         *
         * @param box the number of the box, consecutive from 0
         * @param x   its centre, metres
         * @param y   its centre, metres
         * @param z   its centre, metres
         */
        void place(int box, double x, double y, double z);
    }

    /**
     * Says where each box starts.
     *
     * @param placement called once per box, in order
     */
    public void forEach(Placement placement) {
        SplittableRandom random = new SplittableRandom(SEED);
        int edge = boxesPerEdge();
        for (int box = 0; box < boxes; box++) {
            placement.place(
                    box,
                    across(box % edge, edge, random),
                    height(box / (edge * edge)),
                    across(box / edge % edge, edge, random));
        }
    }

    /**
     * Says where each box starts in a world of two dimensions: as many layers, of one row each, at z = 0.
     *
     * @param placement called once per box, in order
     */
    public void forEachInPlane(Placement placement) {
        SplittableRandom random = new SplittableRandom(SEED);
        int row = boxesPerRow();
        for (int box = 0; box < boxes; box++) {
            placement.place(box, across(box % row, row, random), height(box / row), 0);
        }
    }

    private static double across(int place, int places, SplittableRandom random) {
        return (place - (places - 1) / 2.0) * SPACING + random.nextDouble(-JITTER, JITTER);
    }

    private static double height(int layer) {
        return 1 + layer * SPACING;
    }

    /**
     * Half the edge of a floor that has room for the pile when it has fallen over.
     *
     * @return metres
     */
    public double floorHalfExtent() {
        return Math.max(10, boxesPerEdge() * SPACING * 1.6);
    }

    /**
     * Half the length of a floor on which a stack at the end of the pile of two dimensions can fall over.
     *
     * @return metres
     */
    public double floorHalfExtentInPlane() {
        return (boxesPerRow() / 2.0 + LAYERS) * SPACING;
    }

    private int boxesPerRow() {
        return Math.max(1, (int) Math.ceil(boxes / (double) LAYERS));
    }

    private int boxesPerEdge() {
        return Math.max(1, (int) Math.ceil(Math.sqrt(boxes / (double) LAYERS)));
    }
}
