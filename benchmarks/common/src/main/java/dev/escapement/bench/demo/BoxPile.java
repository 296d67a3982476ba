package dev.escapement.bench.demo;

import dev.escapement.state.world.BodyShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A pile of cubes of one metre above a floor at y = 0. The cubes form layers of a square grid, each a little off its grid point so that the
 * pile topples. Their positions depend only on the number of boxes, in every engine and on every machine.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param boxes how many, 0 or more
 * @see PushControls
 */
public record BoxPile(int boxes) {

    public static final float HALF_EXTENT = 0.5f;

    public static final float MASS_KILOGRAMS = 100f;

    static final double FRICTION = 0.5;
    static final double GRAVITY_METRES_PER_SECOND_SQUARED = -9.81;

    private static final int LAYERS = 10;
    private static final long SEED = 100;
    private static final double SPACING = 1.25;
    private static final double JITTER = 0.2;

    /**
     * Returns the scene that an engine builds.
     *
     * @param inPlane whether the engine has two dimensions
     */
    public Scene scene(boolean inPlane) {
        BodyShape.Form cube = new BodyShape.Box(HALF_EXTENT, HALF_EXTENT, HALF_EXTENT);
        double inALayer = boxes / (double) LAYERS;
        int row = Math.max(1, (int) Math.ceil(inPlane ? inALayer : Math.sqrt(inALayer)));
        int layer = inPlane ? row : row * row;
        SplittableRandom random = new SplittableRandom(SEED);
        List<Solid> solids = new ArrayList<>();
        for (int box = 0; box < boxes; box++) {
            double x = across(box % row, row, random);
            double z = inPlane ? 0 : across(box / row % row, row, random);
            int below = box / layer;
            solids.add(Solid.dynamic(cube, FRICTION, MASS_KILOGRAMS, true, x, 1 + below * SPACING, z));
        }
        return Scene.onFloor(GRAVITY_METRES_PER_SECOND_SQUARED, FRICTION, solids);
    }

    private static double across(int place, int places, SplittableRandom random) {
        return (place - (places - 1) / 2.0) * SPACING + random.nextDouble(-JITTER, JITTER);
    }
}
