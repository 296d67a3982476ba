package dev.escapement.bench.demo;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Cubes of one metre above a floor at y = 0, in layers of a square grid, each a little off its place so that the pile
 * topples. The places depend only on the number of boxes, in every engine and on every machine.
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

    static final double FRICTION = 0.5;
    static final double GRAVITY_METRES_PER_SECOND_SQUARED = -9.81;

    /** Half the edge of a floor that is a box, so wide that nothing falls off it. */
    static final float FLOOR_HALF_EXTENT_METRES = 200;

    static final float FLOOR_HALF_THICKNESS_METRES = 5;

    private static final int LAYERS = 10;
    private static final long SEED = 100;
    private static final double SPACING = 1.25;
    private static final double JITTER = 0.2;

    /** The initial centre of each box: x, y and z, in metres. */
    public List<double[]> places() {
        int edge = boxesPerEdge();
        return places(edge, edge * edge, (box, random) -> across(box / edge % edge, edge, random));
    }

    /** The initial centre of each box in two dimensions: as many layers, of one row each, at z = 0. */
    List<double[]> placesInPlane() {
        int row = boxesPerRow();
        return places(row, row, (box, random) -> 0.0);
    }

    private List<double[]> places(int row, int layer, BiFunction<Integer, SplittableRandom, Double> depth) {
        SplittableRandom random = new SplittableRandom(SEED);
        return IntStream.range(0, boxes)
                .mapToObj(box -> {
                    int below = box / layer;
                    double x = across(box % row, row, random);
                    return new double[] {x, 1 + below * SPACING, depth.apply(box, random)};
                })
                .toList();
    }

    private static double across(int place, int places, SplittableRandom random) {
        return (place - (places - 1) / 2.0) * SPACING + random.nextDouble(-JITTER, JITTER);
    }

    /** Half the edge of a floor that has room for the pile when it has fallen over, in metres. */
    public double floorHalfExtent() {
        return Math.max(10, boxesPerEdge() * SPACING * 1.6);
    }

    /** Half the length of a floor on which a stack at the end of the pile of two dimensions can fall over, in metres. */
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
