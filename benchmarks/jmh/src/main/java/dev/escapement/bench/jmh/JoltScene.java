package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.demo.Scene;
import dev.escapement.bench.demo.Solid;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.world.BodyShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A scene in Jolt that pushes its bodies itself. Its motion is the same in every run of the same native library. */
abstract class JoltScene extends ForwardingSimulation {

    final TickRate rate;

    /** The last tick of the part whose bits {@link CodecBenchmark} counts. */
    final int lastTick;

    /** Whether the first channel of each body is sent: it is 1 while the body is awake, else 0. */
    final boolean marked;

    final JoltBodies world;
    private int awake;

    JoltScene(int hertz, int lastTick, boolean marked, JoltBodies world) {
        super(world);
        rate = TickRate.hertz(hertz);
        this.lastTick = lastTick;
        this.marked = marked;
        this.world = world;
    }

    abstract void steer(long tick);

    final void push(int body, double acceleration, double x, double y, double z) {
        double dv = acceleration * rate.dtSeconds();
        world.push(body, dv * x, dv * y, dv * z);
    }

    @Override
    public final void step(Tick tick) throws Exception {
        steer(tick.number());
        super.step(tick);
    }

    @Override
    public final void capture(PoseWriter poses) throws Exception {
        super.capture(poses);
        awake = 0;
        for (int body = 0; body < world.bodyCount(); body++) {
            boolean isAwake = world.isAwake(body);
            awake += isAwake ? 1 : 0;
            if (marked) {
                poses.channel(body, 0, isAwake ? 1 : 0);
            }
        }
    }

    final int awake() {
        return awake;
    }

    /** Creates a pile of boxes that falls. Every box is pushed twice a second, so that none comes to rest. */
    static JoltScene pile(int boxes) {
        int turns = 50;
        return new JoltScene(100, 1000, false, new JoltBodies(new BoxPile(boxes).scene(false))) {
            @Override
            void steer(long tick) {
                for (int box = (int) (tick % turns); box < boxes; box += turns) {
                    double side = (box & 1) == 0 ? 150 : -150;
                    push(box, 1, side, 300, (box & 2) == 0 ? side : -side);
                }
            }
        };
    }

    /**
     * The world of Glenn Fiedler's articles on networked physics, rebuilt from his description: a large cube rolls through 900 small cubes
     * and, part of the time, attracts nearby cubes. In the articles a person moves the large cube; here it moves at random. Awake cubes are
     * marked.
     *
     * <p>The articles do not say how much his recording moves. {@link #ATTRACTING}, {@link #PUSH} and {@link #PULL} are chosen so that his
     * own compression scheme needs 4.6 bits per cube and snapshot in this world (measured by version 0.2.0); in his recording it needs 4.7.
     *
     * @see <a href="https://gafferongames.com/post/snapshot_compression/">Snapshot Compression</a>
     */
    static final class Fiedler901 extends JoltScene {

        /** The share of time in which the large cube attracts others. */
        private static final double ATTRACTING = 0.7;

        /** The acceleration of the large cube, and below of attracted cubes, in metres per second squared. */
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

        private final SplittableRandom random = new SplittableRandom(901);
        private double x;
        private double y;
        private double z;
        private long legEnd;
        private double heading;
        private boolean attracts;

        Fiedler901() {
            super(60, 1800, true, new JoltBodies(Scene.onFloor(GRAVITY, FRICTION, cubes())));
        }

        private static List<Solid> cubes() {
            List<Solid> cubes = new ArrayList<>();
            cubes.add(cube(PLAYER_HALF_EXTENT, true, 0, 4 * PLAYER_HALF_EXTENT, 0));
            double first = -(EDGE - 1) * SPACING_METRES / 2;
            for (int x = 0; x < EDGE; x++) {
                for (int z = 0; z < EDGE; z++) {
                    double at = first + x * SPACING_METRES;
                    cubes.add(cube(HALF_EXTENT, false, at, HALF_EXTENT, first + z * SPACING_METRES));
                }
            }
            return cubes;
        }

        private static Solid cube(float half, boolean awake, double x, double y, double z) {
            BodyShape.Form cube = new BodyShape.Box(half, half, half);
            return Solid.dynamic(cube, FRICTION, 8 * half * half * half * DENSITY, awake, x, y, z);
        }

        /** Moves the large cube straight for a while, then in another random direction; back towards the middle if it is too far away. */
        @Override
        void steer(long tick) {
            double speed =
                    Math.hypot(world.position(0).x() - x, world.position(0).z() - z) / rate.dtSeconds();
            x = world.position(0).x();
            y = world.position(0).y();
            z = world.position(0).z();
            if (tick > legEnd) {
                legEnd = tick + random.nextInt(30, 120);
                double astray = Math.hypot(x, z) > HOME_METRES ? 0.6 : Math.PI;
                heading = Math.atan2(-z, -x) + random.nextDouble(-astray, astray);
                attracts = random.nextDouble() < ATTRACTING;
            }
            if (speed < FASTEST_METRES_A_SECOND) {
                push(0, PUSH, Math.cos(heading), 0, Math.sin(heading));
            }
            for (int cube = 1; attracts && cube < world.bodyCount(); cube++) {
                double dx = x - world.position(cube).x();
                double dy = y - world.position(cube).y();
                double dz = z - world.position(cube).z();
                double metres = Math.sqrt(dx * dx + dy * dy + dz * dz);
                if (metres < PULL_METRES && metres > HALF_EXTENT) {
                    push(cube, PULL / metres, dx, dy, dz);
                }
            }
        }
    }
}
