package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.event.EventHub;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.joml.Matrix4f;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameViewTest {

    private final PublishedWorld world = new PublishedWorld(3, tick -> 1_000_000 + tick * 7919 % 3_000_000);
    private final FrameView view = FrameView.of(world.newReader());
    private final List<ExecutorService> threads =
            List.of(Executors.newSingleThreadExecutor(), Executors.newSingleThreadExecutor());

    @AfterEach
    void endThreads() {
        threads.forEach(ExecutorService::shutdown);
    }

    @Test
    void shouldContainNoBodyBeforeTheFirstWindow() {
        assertThat(view.advance(1)).as("no window yet").isFalse();
        assertThat(view.contains(BodyId.of(0, 1))).isFalse();
        world.runUntil(50 * TICK_NANOS);
        assertThat(view.advance(50 * TICK_NANOS)).isTrue();
    }

    @Test
    void shouldGiveTheAngleOfABodyInAPlane() {
        for (int degrees : new int[] {-720, -540, -180, -90, 0, 180, 270, 360, 450}) {
            double half = Math.toRadians(degrees) / 2; // from -2 pi to 2 pi, so both quaternions of each rotation occur
            PublishedWorld turned = new PublishedWorld(3, tick -> 0, (tick, poses) -> {
                if (tick == 1) {
                    poses.spawn(7);
                }
                poses.set(0, 0, 0, 0, 0, 0, (float) Math.sin(half), (float) Math.cos(half));
            });
            try (FrameView still = FrameView.inline(turned.newReader())) {
                turned.runUntil(10 * TICK_NANOS);
                still.advance(10 * TICK_NANOS);
                float angle = still.angleOfSlot(0);
                assertThat(angle).isGreaterThan((float) -Math.PI).isLessThanOrEqualTo((float) Math.PI);
                assertThat(Math.cos(angle)).as("%d degrees", degrees).isCloseTo(Math.cos(2 * half), within(1e-6));
                assertThat(Math.sin(angle)).as("%d degrees", degrees).isCloseTo(Math.sin(2 * half), within(1e-6));
                assertThat(still.angleOf(BodyId.of(0, 1))).isEqualTo(angle);
            }
        }
    }

    @Test
    void shouldSayThatAWorldHasNoBodies() {
        PublishedWorld empty = new PublishedWorld(3, tick -> 0, (tick, poses) -> {});
        try (FrameView ofNone = FrameView.inline(empty.newReader())) {
            empty.runUntil(50 * TICK_NANOS);
            ofNone.advance(50 * TICK_NANOS);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> ofNone.positionOfSlot(0, new Vector3f()))
                    .withMessageEndingWith(", which has no bodies: the capture of that tick has spawned none");
        }
    }

    @Test
    void shouldGiveABodyByIdNotByReusedSlot() {
        PublishedWorld crowded = new PublishedWorld(3, tick -> 0, (tick, poses) -> {
            if (tick == 1) {
                poses.spawn(7);
            }
            if (tick == 20) {
                poses.despawn(BodyId.of(0, 1));
                poses.spawn(8);
            }
            poses.set(0, (float) tick, 0, 0, 0, 0, 0, 1);
        });
        FrameView crowd = FrameView.of(crowded.newReader());
        crowded.runUntil(10 * TICK_NANOS);
        crowd.advance(10 * TICK_NANOS);
        long id = crowd.shown().bodies().id(0);
        float x = crowd.clock().tick() + crowd.clock().alpha();
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> crowd.positionOfSlot(1, new Vector3f()))
                .withMessageStartingWith("there is no body in slot 1 at tick ")
                .withMessageEndingWith(", which has 1 bodies in slots 0 to 0");
        assertThat(crowd.contains(id)).isTrue();
        assertThat(crowd.position(id, new Vector3f())).isEqualTo(new Vector3f(x, 0, 0));
        assertThat(crowd.rotation(id, new Quaternionf(1, 0, 0, 0))).isEqualTo(new Quaternionf());
        assertThat(crowd.transform(id, new Matrix4f())).isEqualTo(new Matrix4f().translation(x, 0, 0));

        crowded.runUntil(30 * TICK_NANOS);
        crowd.advance(30 * TICK_NANOS);
        long successor = crowd.shown().bodies().id(0);
        assertThat(BodyId.slot(successor)).isEqualTo(BodyId.slot(id));
        assertThat(crowd.contains(successor)).isTrue();
        assertThat(crowd.contains(id)).isFalse();
        for (ThrowingCallable stale : List.<ThrowingCallable>of(
                () -> crowd.position(id, new Vector3f()),
                () -> crowd.rotation(id, new Quaternionf()),
                () -> crowd.angleOf(id),
                () -> crowd.transform(id, new Matrix4f()))) {
            assertThatExceptionOfType(NoSuchElementException.class)
                    .isThrownBy(stale)
                    .withMessageContaining(
                            "no body 0#1 at tick " + crowd.shown().tick())
                    .withMessageContaining("contains(id)");
        }
    }

    @Test
    void shouldRefuseInstantsThatAreNotOfTheServicesClock() {
        long start = 100_000 * TICK_NANOS; // the clock began long ago, like a machine's
        FrameView checked = checkedView(new AtomicLong(start), start);
        assertThatIllegalArgumentException()
                .as("glfwGetTime() of a game that began 3 s ago")
                .isThrownBy(() -> checked.advance(3_000_000_000L))
                .withMessageContaining("997000 ms behind the service's clock, which is at " + start)
                .withMessageContaining("glfwGetTime()");
        assertThatIllegalArgumentException()
                .as("currentTimeMillis() of 2026")
                .isThrownBy(() -> checked.advance(1_790_000_000_000L))
                .withMessageContaining("790000 ms ahead of the service's clock")
                .withMessageContaining("currentTimeMillis()");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> checked.advance(start, start + 1_000_000_001))
                .withMessageContaining("1000 ms ahead of the service's clock");
        assertThatIllegalArgumentException()
                .as("a call of another clock, with a display time of this one")
                .isThrownBy(() -> checked.advance(3_000_000_000L, start))
                .withMessageContaining("997000 ms behind the service's clock");
        assertThat(checked.hasWindow()).as("nothing was taken").isFalse();
        assertThat(checked.advance(start, start + 1_000_000_000)).isTrue();
    }

    /** With such a reader, a view would treat its first frame as a later one, and refuse instants of a clock that is below 0. */
    @Test
    void shouldRefuseAReaderThatHoldsAWindow() {
        world.runUntil(50 * TICK_NANOS);
        SnapshotReader used = world.newReader();
        assertThat(used.acquire()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FrameView.of(used))
                .withMessageContaining("already holds a window")
                .withMessageContaining("FrameView.of(physics.newReader())");
    }

    @Test
    void shouldShowAFrameAfterHoursOfSuspension() {
        AtomicLong nowNanos = new AtomicLong(5 * TICK_NANOS);
        FrameView checked = checkedView(nowNanos, 5 * TICK_NANOS);
        assertThat(checked.advance(5 * TICK_NANOS)).isTrue();
        nowNanos.set(1_000_000 * TICK_NANOS);
        assertThat(checked.advance(6 * TICK_NANOS)).isTrue();
    }

    private static FrameView checkedView(AtomicLong nowNanos, long publishedUntilNanos) {
        PublishedWorld checking = new PublishedWorld(3, tick -> 0, PublishedWorld::oneBody, nowNanos::get);
        checking.runUntil(publishedUntilNanos);
        return FrameView.of(checking.newReader());
    }

    @Test
    void shouldKeepOnlyTheLastPosesWhenClosed() {
        world.runUntil(50 * TICK_NANOS);
        view.advance(50 * TICK_NANOS);
        float x = view.clock().tick() + view.clock().alpha();
        view.close();
        world.runUntil(90 * TICK_NANOS);
        assertThat(view.poses().block(0).px[0]).isEqualTo(x);
        assertThat(view.contains(BodyId.of(0, 1))).isFalse();
        assertThatIllegalStateException().isThrownBy(view::shown).withMessageContaining("was detached");
        assertThatIllegalArgumentException().isThrownBy(() -> view.advance(1)).withMessageContaining("backwards");
        view.close();
    }

    @Test
    void shouldRefuseASecondThreadUntilItIsHandedOver() {
        world.runUntil(9 * TICK_NANOS);
        String first = on(0, () -> show(view, 9 * TICK_NANOS));
        for (Runnable use : List.<Runnable>of(
                () -> view.advance(10 * TICK_NANOS), view::poses, view::shown, view::handOver, view::close)) {
            assertThatThrownBy(() -> on(1, () -> {
                        use.run();
                        return "";
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a snapshot reader belongs to one thread")
                    .hasMessageContaining("which has not handed it over");
        }
        assertThat(on(0, () -> show(view, 9 * TICK_NANOS)))
                .as("nothing has changed")
                .isEqualTo(first);
        on(0, () -> {
            view.handOver();
            return "";
        });
        assertThat(on(1, () -> show(view, 9 * TICK_NANOS))).isEqualTo(first);
        assertThatThrownBy(() -> on(0, () -> show(view, 9 * TICK_NANOS)))
                .as("the first thread is no owner any more")
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("belongs to one thread");
    }

    private static String show(FrameView view, long nanos) {
        return view.advance(nanos) ? view + " " + view.poses().block(0).px[0] : "nothing";
    }

    private String on(int thread, Supplier<String> turn) {
        try {
            return CompletableFuture.supplyAsync(turn, threads.get(thread)).join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    /** A ball of 100 m/s hits a wall at 150 m in tick 150. Its picture lags behind the newest tick, also in a pause after that tick. */
    @ParameterizedTest
    @CsvSource({"30, 1000", "60, 1000", "144, 1000", "240, 1000", "144, 150"})
    void shouldReceiveAnImpactInTheFrameThatShowsIt(int framesPerSecond, long pauseAfterTick) throws Exception {
        world.pauseAfter(pauseAfterTick, 200 * TICK_NANOS);
        EventHub hub = new EventHub();
        EventStream events = hub.subscribe(64);
        SnapshotReader newest = world.newReader();
        List<Float> heardAt = new ArrayList<>();
        TickRate frames = TickRate.hertz(framesPerSecond);
        for (long nanos = 0, frame = 1; frame < 3L * framesPerSecond; nanos += 500_000) {
            world.runUntil(nanos);
            if (newest.acquire()) {
                publishEvents(hub, newest.window().newest());
            }
            if (nanos >= frames.nanosAt(frame) && view.advance(frames.nanosAt(frame++))) {
                float x = view.positionOfSlot(0, new Vector3f()).x;
                events.drain(view.shown().tick(), event -> heardAt.add(x));
            }
        }
        assertThat(heardAt)
                .singleElement(as(InstanceOfAssertFactories.FLOAT))
                .isBetween(150f, 150 + 101f / framesPerSecond);
    }

    private static void publishEvents(EventHub hub, Snapshot tick) throws Exception {
        hub.beginTick(false);
        hub.collect(tick, tick, contacts -> {
            if (tick.tick() == 150) {
                contacts.contactBegan(0, EventWriter.NO_SLOT, 0, 0, 0, 1, 0, 0);
            }
        });
        hub.deliver();
    }
}
