package dev.escapement.bench.demo;

import dev.escapement.state.world.BodyShape;
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

    private static final int LAYERS = 10;
    private static final long SEED = 100;
    private static final double SPACING = 1.25;
    private static final double JITTER = 0.2;

    /**
     * What an engine builds.
     *
     * @param inPlane whether it is one of two dimensions
     */
    public Scene scene(boolean inPlane) {
        BodyShape.Form cube = new BodyShape.Box(HALF_EXTENT, HALF_EXTENT, HALF_EXTENT);
        List<Solid> solids = (inPlane ? placesInPlane() : places())
                .stream()
                        .map(at -> Solid.dynamic(cube, FRICTION, MASS_KILOGRAMS, true, at[0], at[1], at[2]))
                        .toList();
        return Scene.onFloor(GRAVITY_METRES_PER_SECOND_SQUARED, FRICTION, solids);
    }

    /** The initial centre of each box: x, y and z, in metres. */
    List<double[]> places() {
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

    private int boxesPerRow() {
        return Math.max(1, (int) Math.ceil(boxes / (double) LAYERS));
    }

    private int boxesPerEdge() {
        return Math.max(1, (int) Math.ceil(Math.sqrt(boxes / (double) LAYERS)));
    }
}
