package dev.escapement.bench.compare;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.measure.ForwardingSimulation;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.state.capture.PoseWriter;
import java.util.Locale;

/** How bodies move whose places are predicted. */
enum Motions {
    /** Thrown bodies that tumble and meet nothing. */
    FREE_FLIGHT("100 bodies in free flight, tumbling at 1 to 5 rad/s"),
    /** Balls that roll round and round. */
    ROLLING("100 balls that roll on circles at 1 to 5 m/s"),
    /** Boxes that fall onto the floor and onto each other, and bounce. */
    BOUNCING_PILE("1,000 boxes in Jolt that fall from up to 12 m, bounce, and topple");

    private static final int BODIES = 100;
    private static final int BOXES = 1000;
    private static final float RESTITUTION = 0.4f;

    private final String says;

    Motions(String says) {
        this.says = says;
    }

    /** What moves, in a few words. */
    String says() {
        return says;
    }

    /** What files call it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A world that moves so. Needs Jolt for the pile. */
    Simulation newWorld() {
        return switch (this) {
            case FREE_FLIGHT ->
                new Paths((body, seconds, poses) -> {
                    double up = 150 + body;
                    double spin = seconds * (1 + body % 5) / 2;
                    poses.set(
                            body,
                            (float) (seconds * body / 10),
                            (float) (seconds * (up - 9.81 / 2 * seconds)),
                            0,
                            0,
                            (float) (0.6 * Math.sin(spin)),
                            (float) (0.8 * Math.sin(spin)),
                            (float) Math.cos(spin));
                });
            case ROLLING ->
                new Paths((body, seconds, poses) -> {
                    double radius = 5 + body / 10.0;
                    double angle = seconds * (1 + body % 5) / radius;
                    double rolled = angle * radius; // half of what a ball of half a metre turns
                    double turn = angle / 2;
                    // First it rolls about z, then it is turned about y.
                    double rx = Math.sin(turn) * Math.sin(rolled);
                    double ry = Math.sin(turn) * Math.cos(rolled);
                    double rz = Math.cos(turn) * Math.sin(rolled);
                    double rw = Math.cos(turn) * Math.cos(rolled);
                    double x = radius * Math.cos(angle);
                    double z = radius * Math.sin(angle);
                    poses.set(body, (float) x, 0.5f, (float) z, (float) rx, (float) ry, (float) rz, (float) rw);
                });
            case BOUNCING_PILE -> {
                JoltNatives.load();
                yield new FallingPile(new JoltPile(new BoxPile(BOXES)));
            }
        };
    }

    /** Where a body is. */
    @FunctionalInterface
    private interface Path {
        void write(int body, double seconds, PoseWriter poses);
    }

    /** Bodies of which is known where they are. */
    private static final class Paths implements Simulation {
        private final Path path;
        private double seconds;

        Paths(Path path) {
            this.path = path;
        }

        @Override
        public void step(Tick tick) {
            seconds = tick.number() * tick.dtSeconds();
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(BODIES);
            for (int body = 0; body < BODIES; body++) {
                path.write(body, seconds, poses);
            }
        }
    }

    /** A pile that falls when frames are measured, and not before. */
    private static final class FallingPile extends ForwardingSimulation {

        FallingPile(JoltPile pile) {
            super(pile);
            for (int box = 0; box < BOXES; box++) {
                pile.box(box).setRestitution(RESTITUTION);
            }
        }

        @Override
        public void step(Tick tick) throws Exception {
            if (tick.number() * tick.dtSeconds() > VirtualContest.WARM_UP_SECONDS) {
                super.step(tick);
            }
        }
    }
}
