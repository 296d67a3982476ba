package dev.escapement.physics.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.TickRate;
import java.lang.management.ManagementFactory;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservationTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final float NONE = Float.NaN;

    private final PhysicsHost host =
            PhysicsHost.builder().threads(2).lockStep(RATE).start();

    private static PhysicsServiceBuilder world() {
        return PhysicsService.builder(new Dot()).rate(RATE).maxReaders(1);
    }

    private void step(int times) {
        for (int i = 0; i < times; i++) {
            host.tickAll();
        }
    }

    @AfterEach
    void close() {
        host.close();
    }

    @Test
    void shouldShowEachWorldAtItsTickWithHolesAsNan() {
        host.add(world());
        step(5);
        host.add(world());
        step(3);
        host.add(world());
        try (Observation seen = host.observe(2, List.of(Observation.POSITION, Observation.ROTATION))) {
            float[] state = new float[seen.size()];
            seen.copyTo(state);
            assertThat(state)
                    .containsExactly(
                            8, 0, 0, 0, 0, 0, 1, NONE, NONE, NONE, NONE, NONE, NONE, NONE, //
                            3, 0, 0, 0, 0, 0, 1, NONE, NONE, NONE, NONE, NONE, NONE, NONE, //
                            NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE);
            assertThat(seen.tick(0)).isEqualTo(8);
            assertThat(seen.tick(1)).isEqualTo(3);
            assertThat(seen.tick(2)).isZero();
            FloatBuffer buffer = FloatBuffer.allocate(seen.size() + 1).position(1);
            seen.copyTo(buffer);
            assertThat(buffer.array()).endsWith(state).hasSize(state.length + 1);
        }
    }

    @Test
    void shouldShowAResetBeforeTheNextTick() {
        Dot dot = new Dot();
        PhysicsService world = host.add(PhysicsService.builder(dot).rate(RATE).maxReaders(2));
        try (Observation seen = host.observe(1, List.of(Observation.POSITION))) {
            float[] state = new float[seen.size()];
            host.serveAll();
            seen.copyTo(state);
            assertThat(state).as("as it was built").containsExactly(0, 0, 0);
            step(5);
            CompletableFuture<?> reset = world.command(tick -> {
                dot.steps.set(100);
                return true;
            });
            host.serveAll();
            seen.copyTo(state);
            assertThat(state).containsExactly(100, 0, 0);
            reset.join();
            step(1);
            seen.copyTo(state);
            assertThat(state).containsExactly(101, 0, 0);
            assertThat(world.skippedTicks()).isZero();
        }
    }

    @Test
    void shouldAllocateNothing() {
        for (int i = 0; i < 10; i++) {
            host.add(world());
        }
        step(3);
        try (Observation seen = host.observe(1, List.of(Observation.POSITION))) {
            float[] state = new float[seen.size()];
            com.sun.management.ThreadMXBean threads =
                    (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 10; round++) { // the JVM links a call in the first of them
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 100; i++) {
                    seen.copyTo(state);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).isZero();
        }
    }

    @Test
    void shouldRefuseWhatTheLayoutLacks() {
        host.add(world().name("arena"));
        assertThatThrownBy(() -> host.observe(1, List.of(Observation.channel(99))))
                .hasMessageContaining("world 'arena' has 0 channels in its layout, but channel 99");
        assertThatThrownBy(() -> host.observe(1, List.of(Observation.POSITION, List.of(-1))))
                .hasMessageContaining("needs components, such as POSITION or channel(0)");
        try (Observation position =
                host.observe(1, List.of(Observation.POSITION))) { // what was refused keeps no reader
            assertThatThrownBy(() -> position.copyTo(new float[2])).hasMessageContaining("needs room for 3 numbers");
        }
        assertThatThrownBy(() -> host.observe(0, List.of(Observation.POSITION)))
                .hasMessageContaining("at least 1 body");
        assertThatThrownBy(() -> host.observe(1, List.of())).hasMessageContaining("needs components");
        assertThatThrownBy(() -> host.observe(1 << 30, List.of(Observation.ROTATION)))
                .hasMessageContaining("too long for an array");
        assertThatThrownBy(() -> Observation.channel(-1)).hasMessageContaining("from 0 on");
    }

    /** A world whose third step ends it as the name says. */
    private PhysicsService add(String end, long firstTick) {
        CompletableFuture<PhysicsService> self = new CompletableFuture<>();
        self.complete(host.add(PhysicsService.builder(new Dot(tick -> {
                    if (tick == 3 && end.equals("throws in a step")) {
                        throw new IllegalStateException("bodies overlap");
                    }
                    if (tick == 3 && end.equals("closes itself in a step")) {
                        self.join().close();
                    }
                }))
                .rate(RATE)
                .maxReaders(1)
                .windowSize(2)
                .name("arena")
                .firstTick(firstTick)
                .onFailure(failure -> {})));
        return self.join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"is closed", "throws in a step", "closes itself in a step", "is closed with its host"})
    void shouldShowWhatHasEndedAsNanUntilAnotherOfItsNameTicks(String end) {
        PhysicsService first = add(end, 1);
        host.add(world().windowSize(2).name("beside"));
        step(2);
        try (Observation seen = host.observe(1, List.of(List.of(0)))) {
            float[] state = new float[2];
            seen.copyTo(state);
            assertThat(state).containsExactly(2, 2);
            if (end.equals("is closed")) {
                first.close();
            } else if (end.equals("is closed with its host")) {
                host.close();
            }
            if (end.equals("is closed with its host")) {
                seen.copyTo(state);
                assertThat(state).containsExactly(NONE, NONE);
                return;
            }
            step(1);
            seen.copyTo(state);
            assertThat(state).containsExactly(NONE, 3);
            assertThat(seen.tick(0)).isZero();
            assertThat(seen.tick(1)).isEqualTo(3);
            assertThat(seen.worlds()).startsWith(first);

            for (long firstTick = 10; firstTick < 30; firstTick += 10) { // twice in the same place
                PhysicsService next = add("", firstTick);
                seen.copyTo(state);
                assertThat(state).containsExactly(NONE, firstTick == 10 ? 3 : 5);
                step(2);
                seen.copyTo(state);
                assertThat(state).containsExactly(2, firstTick == 10 ? 5 : 7);
                assertThat(seen.tick(0)).isEqualTo(firstTick + 1);
                assertThat(seen.worlds()).startsWith(next);
                next.close();
            }
        }
    }

    @Test
    void shouldRefuseAWorldThatLacksAComponentOfTheOneBefore() {
        PoseLayout layout = new PoseLayout(List.of(new Channel("heat", Channel.Blending.LINEAR)));
        PhysicsService hot = host.add(world().name("arena").layout(layout));
        try (Observation seen = host.observe(1, List.of(Observation.channel(0)))) {
            hot.close();
            PhysicsService cold = host.add(world().name("arena"));
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> seen.copyTo(new float[1])).hasMessageContaining("0 channels in its layout");
            }
            cold.close();
            host.add(world().name("arena").layout(layout));
            step(3);
            float[] state = {7};
            seen.copyTo(state);
            assertThat(state).containsExactly(0);
        }
    }

    @Test
    void shouldShowChannelsAndVelocities() {
        PoseLayout layout = new PoseLayout(List.of(new Channel("heat", Channel.Blending.LINEAR)));
        host.add(PhysicsService.builder(new Dot()).rate(RATE).maxReaders(1).layout(layout));
        step(4);
        try (Observation seen = host.observe(1, List.of(Observation.channel(0), Observation.VELOCITY))) {
            float[] state = new float[4];
            seen.copyTo(state);
            assertThat(state).containsExactly(0, 100, 0, 0); // a metre a tick
        }
    }

    /** The first body jumps in addition to its motion, the second is teleported, the third rests, the fourth comes; the origin moves. */
    @Test
    void shouldShowNoJumpAsAVelocity() {
        host.add(PhysicsService.builder(new Dot() {
                    @Override
                    public void capture(PoseWriter poses) {
                        long tick = steps.get();
                        boolean isLast = tick == 4;
                        poses.origin((double) tick, 0, 0);
                        poses.bodyCount(isLast ? 4 : 3);
                        poses.set(0, 0, (float) (2 * tick) + (isLast ? 50 : 0), 0, 0, 0, 0, 1);
                        poses.set(1, 0, isLast ? 70 : 0, 0, 0, 0, 0, 1);
                        if (tick == 1) {
                            poses.set(2, 3, 0, 0, 0, 0, 0, 1);
                        }
                        if (isLast) {
                            poses.teleportBy(0, 0, 50, 0);
                            poses.teleport(1);
                            poses.set(3, 9, 9, 9, 0, 0, 0, 1);
                        }
                    }
                })
                .rate(RATE)
                .maxReaders(1));
        step(4);
        try (Observation seen = host.observe(4, List.of(Observation.VELOCITY))) {
            float[] state = new float[12];
            seen.copyTo(state);
            assertThat(state).containsExactly(100, 200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        }
    }
}
