package dev.escapement.bench.wire;

import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.demo.JoltPile.Boxes;
import dev.escapement.physics.Tick;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/** Scenes in Jolt, the same in every run of the same native library. */
final class JoltScene {

    static final String PILE = "pile";
    static final String FIEDLER = "fiedler901";

    private final JoltPile world;
    private final TickRate rate;
    private final Trace trace;

    private JoltScene(JoltPile world, String name, int hertz, boolean marked) {
        this.world = world;
        rate = TickRate.hertz(hertz);
        trace = new Trace(name, hertz, world.bodyCount(), marked);
    }

    private void push(int body, double acceleration, double x, double y, double z) {
        double dv = acceleration * rate.dtSeconds();
        world.push(body, dv * x, dv * y, dv * z);
    }

    /** Runs ticks; before each, bodies are pushed. */
    private Trace play(int ticks, IntConsumer steer) {
        RVec3 p = new RVec3();
        Quat q = new Quat();
        try (JoltPile closing = world) {
            for (int tick = 1; tick <= ticks; tick++) {
                steer.accept(tick);
                closing.step(new Tick(rate, tick, rate.nanosAt(tick), 0, new RecordedInput().frame(), false));
                float[] poses = trace.newTick();
                for (int body = 0; body < trace.bodies; body++) {
                    world.box(body).getPositionAndRotation(p, q);
                    double mark = trace.marked && world.isAwake(body) ? 1 : 0;
                    Trace.set(poses, body, p.xx(), p.yy(), p.zz(), q.getX(), q.getY(), q.getZ(), q.getW(), mark);
                }
                trace.add(poses);
            }
        } catch (Exception e) {
            throw new IllegalStateException(trace.name + " failed: " + e, e);
        }
        return trace;
    }

    /** The pile of the demonstration: it falls, and every box is pushed twice a second, so that none comes to rest. */
    static Trace pile(int boxes, int ticks) {
        JoltScene scene = new JoltScene(new JoltPile(new BoxPile(boxes)), PILE, 100, false);
        int turns = 50;
        return scene.play(ticks, tick -> {
            for (int box = tick % turns; box < boxes; box += turns) {
                double side = (box & 1) == 0 ? 150 : -150;
                scene.push(box, 1, side, 300, (box & 2) == 0 ? side : -side);
            }
        });
    }

    /** See {@link Fiedler901}. */
    static Trace fiedler901(int ticks) {
        Fiedler901 player = new Fiedler901();
        return player.scene.play(ticks, player::steer);
    }

    /**
     * The world of Glenn Fiedler's articles on networked physics, built again from his description: a large cube rolls through 900 small
     * ones and, for a part of the time, draws those that are near. The player is a random one here. Marked are the cubes that are awake.
     *
     * <p>How busy his recording is, he does not say. {@link #ATTRACTING}, {@link #PUSH} and {@link #PULL} are chosen such that his own
     * scheme, which version 0.2.0 counted, needs 4.6 bits a cube and snapshot here, and 4.7 there.
     *
     * @see <a href="https://gafferongames.com/post/snapshot_compression/">Snapshot Compression</a>
     */
    static final class Fiedler901 {

        /** The share of its time in which the player draws cubes. */
        static final double ATTRACTING = 0.7;

        /** The player's acceleration and that of what it draws, metres per second squared. */
        private static final double PUSH = 35;

        private static final double PULL = 40;
        private static final double PULL_METRES = 2.5;
        private static final double FASTEST_METRES_A_SECOND = 8;
        private static final double HOME_METRES = 10;
        private static final int EDGE = 30;
        private static final double SPACING_METRES = 0.8;
        private static final float HALF_EXTENT = 0.2f;
        private static final float PLAYER_HALF_EXTENT = 0.75f;
        private static final float DENSITY = 100;
        private static final float GRAVITY = -20;
        private static final float FRICTION = 1;

        private final JoltPile world = new JoltPile(GRAVITY, FRICTION, cubes());
        private final JoltScene scene = new JoltScene(world, FIEDLER, 60, true);
        private final SplittableRandom random = new SplittableRandom(901);
        private final double[] player = new double[3];
        private int legEnd;
        private double heading;
        private boolean attracts;

        private static List<Boxes> cubes() {
            List<double[]> places = new ArrayList<>();
            double first = -(EDGE - 1) * SPACING_METRES / 2;
            for (int x = 0; x < EDGE; x++) {
                for (int z = 0; z < EDGE; z++) {
                    places.add(new double[] {first + x * SPACING_METRES, HALF_EXTENT, first + z * SPACING_METRES});
                }
            }
            List<double[]> above = List.of(new double[] {0, 4 * PLAYER_HALF_EXTENT, 0});
            return List.of(cubes(PLAYER_HALF_EXTENT, true, above), cubes(HALF_EXTENT, false, places));
        }

        private static Boxes cubes(float halfExtent, boolean awake, List<double[]> places) {
            return new Boxes(halfExtent, 8 * halfExtent * halfExtent * halfExtent * DENSITY, awake, places);
        }

        /** The player goes straight for a while, then elsewhere, and home when it has gone too far. */
        private void steer(int tick) {
            double speed = Math.hypot(
                            world.position(0).x() - player[0], world.position(0).z() - player[2])
                    / scene.rate.dtSeconds();
            player[0] = world.position(0).x();
            player[1] = world.position(0).y();
            player[2] = world.position(0).z();
            if (tick > legEnd) {
                legEnd = tick + random.nextInt(30, 120);
                double astray = Math.hypot(player[0], player[2]) > HOME_METRES ? 0.6 : Math.PI;
                heading = Math.atan2(-player[2], -player[0]) + random.nextDouble(-astray, astray);
                attracts = random.nextDouble() < ATTRACTING;
            }
            if (speed < FASTEST_METRES_A_SECOND) {
                scene.push(0, PUSH, Math.cos(heading), 0, Math.sin(heading));
            }
            for (int cube = 1; attracts && cube < world.bodyCount(); cube++) {
                double dx = player[0] - world.position(cube).x();
                double dy = player[1] - world.position(cube).y();
                double dz = player[2] - world.position(cube).z();
                double metres = Math.sqrt(dx * dx + dy * dy + dz * dz);
                if (metres < PULL_METRES && metres > HALF_EXTENT) {
                    scene.push(cube, PULL / metres, dx, dy, dz);
                }
            }
        }
    }
}
