package dev.escapement.render.interpolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests that a world whose first block grows shows the same bits as a world that had room from the start. */
class GrowingWorldTest {

    private static final int ROOM = 4096;

    @Test
    void shouldBeShownLikeAPreallocatedWorld() throws Exception {
        for (int seed = 0; seed < 8; seed++) {
            PoseLayout layout = new PoseLayout(List.of(new Channel("wheel", Channel.Blending.ANGLE)));
            Run small = new Run(seed, 0, layout);
            Run roomy = new Run(seed, ROOM, layout);
            SplittableRandom frames = new SplittableRandom(seed);
            for (int tick = 0; tick < 30; tick++) {
                small.tick();
                roomy.tick();
                float alpha = frames.nextInt(4) == 0 ? 0 : (float) frames.nextDouble();
                float ahead = frames.nextBoolean() ? 0 : (float) frames.nextDouble(2);
                assertThat(small.frame(alpha, ahead))
                        .as("seed %d, tick %d, alpha %s, ahead %s", seed, tick, alpha, ahead)
                        .isEqualTo(roomy.frame(alpha, ahead));
            }
        }
    }

    /** A captured world and its last three snapshots. */
    private static final class Run {

        private final SplittableRandom random;
        private final CapturedWorld world;
        private final Interpolator interpolator;
        private final List<Long> bodies = new ArrayList<>();
        Snapshot beforePrevious;
        Snapshot previous;
        Snapshot current;

        Run(int seed, int preallocated, PoseLayout layout) {
            random = new SplittableRandom(seed);
            world = new CapturedWorld(4, 1, preallocated, layout);
            interpolator = new Interpolator(Interpolation.DEFAULT.lookAhead(2));
            current = world.tick();
            previous = current;
            beforePrevious = current;
        }

        void tick() throws Exception {
            if (random.nextInt(6) == 0) {
                world.again(this::move);
            }
            beforePrevious = previous;
            previous = current;
            current = world.tick(this::move);
        }

        private void move(PoseWriter poses) {
            if (random.nextInt(10) == 0) {
                poses.origin(random.nextInt(50), 0, 0);
            }
            for (int gone = random.nextInt(4); gone > 0 && !bodies.isEmpty(); gone--) {
                poses.despawn(bodies.remove(random.nextInt(bodies.size())));
            }
            int known = bodies.size();
            int coming = random.nextInt(12) == 0 ? random.nextInt(900) : random.nextInt(8);
            for (int i = 0; i < coming; i++) {
                bodies.add(poses.spawn(i));
            }
            boolean allMove = random.nextBoolean();
            for (int i = 0; i < bodies.size(); i++) {
                if (i >= known || allMove || random.nextInt(3) == 0) {
                    move(poses, bodies.get(i), i < known);
                }
            }
        }

        private void move(PoseWriter poses, long body, boolean isKnown) {
            int slot = BodyId.slot(body);
            double half = random.nextDouble(2 * Math.PI);
            poses.set(slot, coordinate(), coordinate(), coordinate(), 0, (float) Math.sin(half), 0, (float)
                    Math.cos(half));
            poses.channel(slot, 0, coordinate());
            if (isKnown && random.nextInt(8) == 0) {
                poses.teleport(slot);
            } else if (isKnown && random.nextInt(8) == 0) {
                poses.teleportBy(slot, 1, 2, 3);
            } else if (random.nextInt(8) == 0) {
                poses.angularVelocity(slot, 0, 500, 0);
            }
            if (random.nextInt(16) == 0) {
                poses.centreOfMass(slot, coordinate(), coordinate(), coordinate());
            }
            if (random.nextInt(16) == 0 && body != bodies.get(0)) {
                poses.relativeTo(slot, bodies.get(0));
            }
        }

        private float coordinate() {
            return (float) random.nextDouble(-10, 10);
        }

        /** Returns the bits of all displayed poses. */
        List<Integer> frame(float alpha, float ahead) {
            interpolator.show(beforePrevious, previous, current, alpha, ahead);
            Snapshot shown = interpolator.shown();
            List<Integer> bits = new ArrayList<>();
            for (int slot = 0; slot < shown.poses().slotCount(); slot++) {
                if (shown.bodies().exists(slot)) {
                    PoseBlock block = interpolator.block(slot >>> PoseBlock.SHIFT);
                    int i = slot & PoseBlock.MASK;
                    float[][] values = {
                        block.px, block.py, block.pz, block.qx, block.qy, block.qz, block.qw, block.channels[0]
                    };
                    for (float[] value : values) {
                        bits.add(Float.floatToRawIntBits(value[i]));
                    }
                }
            }
            return bits;
        }
    }
}
