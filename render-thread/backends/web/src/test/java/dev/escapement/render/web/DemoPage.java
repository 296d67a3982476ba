package dev.escapement.render.web;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.ShapeSource;
import dev.escapement.state.world.TriangleMesh;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A page by hand, around a world that needs no engine: bodies that hop on a grid, some of which come, go and jump.
 *
 * <p>{@code DemoPage [port [bodies]]}
 */
final class DemoPage {

    private DemoPage() {}

    public static void main(String[] args) throws InterruptedException {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 0;
        int bodies = args.length > 1 ? Integer.parseInt(args[1]) : 400;
        try (PhysicsService physics =
                PhysicsService.builder(new HoppingBodies(bodies)).start()) {
            LivePage page = LivePage.of(physics.newReader())
                    .controls(physics)
                    .title("Hopping bodies")
                    .port(port)
                    .start();
            System.out.println(page.url());
            new CountDownLatch(1).await();
        }
    }

    /** Bodies whose places are a function of the tick. */
    static final class HoppingBodies implements Simulation, ShapeSource {

        private static final int COME_AND_GO_TICKS = 300;
        private static final int LANDING_TICKS = 100;

        private final int count;
        private final int side;
        private final long[] ids;
        private long tick;

        HoppingBodies(int count) {
            this.count = count;
            side = (int) Math.ceil(Math.sqrt(count));
            ids = new long[count];
        }

        @Override
        public void step(Tick now) {
            tick = now.number();
        }

        @Override
        public void capture(PoseWriter poses) {
            for (int i = 0; i < count; i++) {
                boolean comesAndGoes = i % 7 == 3;
                boolean exists = !comesAndGoes || (tick / COME_AND_GO_TICKS + i) % 3 != 0;
                if (exists && ids[i] == 0) {
                    ids[i] = poses.spawn(i);
                } else if (!exists && ids[i] != 0) {
                    poses.despawn(ids[i]);
                    ids[i] = 0;
                }
                if (ids[i] != 0 && !(i % 5 == 1)) {
                    set(poses, i);
                } else if (ids[i] != 0) {
                    poses.set(BodyId.slot(ids[i]), 2 * (i % side) - side, 0.5f, 2 * (i / side) - side, 0, 0, 0, 1);
                }
            }
        }

        private void set(PoseWriter poses, int i) {
            int slot = BodyId.slot(ids[i]);
            double phase = phase(i);
            float y = (float) (0.5 + 8 * phase * (1 - phase));
            double half = 0.5 * 2 * Math.PI * (tick % 400) / 400 * (i % 3);
            float x = 2 * (i % side) - side;
            if (i % 11 == 2 && tick / LANDING_TICKS % 2 == 0) {
                x += 1;
            }
            poses.set(slot, x, y, 2 * (i / side) - side, 0, (float) Math.sin(half), 0, (float) Math.cos(half));
            if (i % 11 == 2 && tick % LANDING_TICKS == 0) {
                poses.teleport(slot);
            }
        }

        private double phase(int i) {
            return ((tick + 13L * i) % LANDING_TICKS) / (double) LANDING_TICKS;
        }

        @Override
        public void events(EventWriter events) {
            for (int i = 0; i < count; i++) {
                if (ids[i] != 0 && i % 5 != 1 && (tick + 13L * i) % LANDING_TICKS == 0) {
                    events.contactBegan(
                            BodyId.slot(ids[i]),
                            EventWriter.NO_BODY,
                            2 * (i % side) - side,
                            0,
                            2 * (i / side) - side,
                            0,
                            -1,
                            0);
                }
            }
        }

        @Override
        public @Nullable BodyShape shape(long body) {
            int i = BodyId.slot(body);
            BodyShape.Form form = switch (i % 4) {
                case 0 -> new BodyShape.Box(0.5f, 0.5f, 0.5f);
                case 1 -> new BodyShape.Sphere(0.5f);
                case 2 -> new BodyShape.Capsule(0.3f, 0.4f);
                default -> TETRAHEDRON;
            };
            return new BodyShape(form, i % 5 == 1);
        }

        private static final TriangleMesh TETRAHEDRON = new TriangleMesh(new float[] {
            0.5f, 0.5f, 0.5f, 0.5f, -0.5f, -0.5f, -0.5f, 0.5f, -0.5f, //
            0.5f, 0.5f, 0.5f, -0.5f, 0.5f, -0.5f, -0.5f, -0.5f, 0.5f, //
            0.5f, 0.5f, 0.5f, -0.5f, -0.5f, 0.5f, 0.5f, -0.5f, -0.5f, //
            0.5f, -0.5f, -0.5f, -0.5f, -0.5f, 0.5f, -0.5f, 0.5f, -0.5f
        });
    }
}
