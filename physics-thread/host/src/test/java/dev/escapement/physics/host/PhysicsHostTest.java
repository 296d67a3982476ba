package dev.escapement.physics.host;

import static dev.escapement.physics.host.Hosts.awaitTicks;
import static dev.escapement.physics.host.Hosts.world;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.Await;
import dev.escapement.state.thread.ThreadPolicy;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Worlds on a host with real threads. The tests wait for threads, and measure no times. */
@Timeout(60)
class PhysicsHostTest {

    private static final TickRate RATE = TickRate.hertz(100);

    /** Longer than a busy machine keeps a healthy thread from its core. */
    static final int HANG_MILLIS = 3_000;

    /** Of four worlds on two threads, at least two share a thread. One of these hangs, so the other has to move. */
    @Test
    void shouldGoOnBesideAWorldThatDoesNotReturn() throws Exception {
        AtomicBoolean stay = new AtomicBoolean();
        AtomicInteger slow = new AtomicInteger(-1);
        AtomicReferenceArray<Thread> threads = new AtomicReferenceArray<>(4);
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        try (PhysicsHost host = PhysicsHost.builder().threads(2).start()) {
            List<PhysicsService> worlds = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int number = i;
                worlds.add(host.add(world(new Dot(tick -> {
                    threads.set(number, Thread.currentThread());
                    if (stay.get() && countOf(Thread.currentThread(), threads) > 1 && slow.compareAndSet(-1, number)) {
                        inStep.countDown();
                        letGo.await();
                    }
                }))));
            }
            worlds.forEach(Hosts::awaitTicks);
            stay.set(true);
            inStep.await();
            PhysicsService hanging = worlds.remove(slow.get());
            worlds.forEach(Hosts::awaitTicks);
            assertThat(countOf(threads.get(slow.get()), threads)).isOne();
            assertThat(hanging.state()).isEqualTo(ServiceState.RUNNING);
            letGo.countDown();
            awaitTicks(hanging);
        }
    }

    private static long countOf(Thread thread, AtomicReferenceArray<Thread> threads) {
        return IntStream.range(0, threads.length())
                .filter(i -> threads.get(i) == thread)
                .count();
    }

    @Test
    void shouldReplaceAThreadThatHangs() throws Exception {
        CountDownLatch inStep = new CountDownLatch(1);
        AtomicBoolean hang = new AtomicBoolean();
        CountDownLatch letGo = new CountDownLatch(1);
        try (PhysicsHost host =
                PhysicsHost.builder().threads(1).watchdog(HANG_MILLIS).start()) {
            PhysicsService hangs = host.add(world(new Dot(tick -> {
                        if (hang.get()) {
                            inStep.countDown();
                            letGo.await();
                        }
                    }))
                    .name("hangs")
                    .onFailure(reported -> {}));
            PhysicsService bound =
                    host.add(world(Dot.bound(new Dot())).name("bound").onFailure(reported -> {}));
            PhysicsService moves = host.add(world(new Dot()).name("moves"));
            awaitTicks(bound);
            hang.set(true);
            inStep.await();
            Await.until(() -> hangs.state() == ServiceState.FAILED && bound.state() == ServiceState.FAILED);
            assertThat(hangs.failure().orElseThrow()).isInstanceOf(HungSimulationException.class);
            assertThat(bound.failure().orElseThrow())
                    .hasMessageContaining("its thread hangs in world 'hangs'")
                    .hasMessageContaining("bound to that thread");
            awaitTicks(moves);
            assertThat(host.worlds()).containsExactly(moves);
            long lastTick = hangs.lastPublishedTick();
            letGo.countDown(); // the abandoned thread comes back, and has no effect
            awaitTicks(moves);
            assertThat(hangs.lastPublishedTick()).isEqualTo(lastTick);
        }
    }

    @Test
    void shouldTakeAWorldFromWithinATick() throws Exception {
        try (PhysicsHost host = PhysicsHost.builder().threads(1).start()) {
            CompletableFuture<PhysicsService> added = new CompletableFuture<>();
            host.add(world(new Dot(tick -> {
                if (tick == 2) {
                    added.complete(host.add(world(new Dot()).name("inner")));
                }
            })));
            awaitTicks(added.get());
        }
    }

    @Test
    void shouldCloseWorldsAndHostFromWithinATick() throws Exception {
        PhysicsHost host = PhysicsHost.builder().threads(2).start();
        Dot[] dots = {new Dot(), new Dot()};
        PhysicsService first = host.add(world(dots[0]).name("first"));
        PhysicsService second = host.add(world(dots[1]).name("second"));
        first.execute(tick -> second.close()).get();
        Await.until(() -> second.state() == ServiceState.CLOSED);
        awaitTicks(first);
        assertThat(first.execute(tick -> host.close())).isNotNull();
        Await.until(() -> first.state() == ServiceState.CLOSED);
        assertThat(dots[0].closes).hasValue(1);
        assertThat(dots[1].closes).hasValue(1);
        host.close();
    }

    @Test
    void shouldLeaveNoThread() {
        Await.until(() -> Hosts.threads() == 0);
        try (PhysicsHost host = PhysicsHost.builder().threads(3).watchdog(1000).start()) {
            for (int i = 0; i < 50; i++) {
                host.add(world(new Dot()));
            }
            assertThat(Hosts.threads()).isPositive();
        }
        Await.until(() -> Hosts.threads() == 0);
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        assertThatThrownBy(() -> PhysicsHost.builder().threads(0)).hasMessageContaining("1 to 1024 threads");
        assertThatThrownBy(() -> PhysicsHost.builder().watchdog(7)).hasMessageContaining("at least 8 ms");
        HostBuilder builder = PhysicsHost.builder().threads(1);
        PhysicsHost host = builder.start();
        assertThatThrownBy(() -> builder.lockStep(RATE)).hasMessageContaining("has started a host before");
        assertThatThrownBy(builder::start).hasMessageContaining("has started a host before");
        for (double weight : new double[] {0, -1, Double.NaN, 2e6}) {
            assertThatThrownBy(() -> host.add(world(new Dot()), weight))
                    .hasMessageContaining("above 0 and at most 1000000, but is " + weight);
        }
        PhysicsServiceBuilder twice = world(new Dot()).name("a");
        host.add(twice);
        assertThatThrownBy(() -> host.add(twice)).hasMessageContaining("has built before");
        assertThatThrownBy(() -> host.add(world(new Dot()).name("a"))).hasMessageContaining("named 'a' already");
        ThreadPolicy policy = ThreadPolicy.realTime();
        assertThatThrownBy(() -> host.add(world(new Dot()).threadPolicy(policy)))
                .hasMessageContaining("leave it out in a host");
        assertThatThrownBy(host::tickAll).hasMessageContaining("lockStep(rate)");
        host.close();
        assertThatThrownBy(() -> host.add(world(new Dot()))).hasMessageContaining("was closed");
    }

    /** A builder whose build was refused kept the name that the host had given it, which another world has by now. */
    @Test
    void shouldAddAWorldThatWasRefusedBefore() {
        try (PhysicsHost host = PhysicsHost.builder().threads(1).start()) {
            int[] begins = {0};
            TickHook refusesOnce = new TickHook() {
                @Override
                public void attach(TickAccess run) {
                    if (begins[0]++ == 0) {
                        throw new IllegalStateException("no room");
                    }
                }
            };
            PhysicsServiceBuilder refused = world(new Dot()).with(refusesOnce);
            assertThatThrownBy(() -> host.add(refused)).hasMessageContaining("no room");
            PhysicsService other = host.add(world(new Dot()));
            assertThat(host.world("world-1")).contains(other);
            PhysicsService again = host.add(refused);
            assertThat(host.world("world-2")).contains(again);
        }
    }

    @Test
    void shouldRefuseASimulationThatAnotherWorldHas() {
        try (PhysicsHost host = PhysicsHost.builder().threads(1).start()) {
            Dot dot = new Dot();
            PhysicsService first = host.add(world(dot).name("a"));
            assertThatThrownBy(() -> host.add(world(dot).name("b")))
                    .hasMessageContaining("world 'b' is to tick the same " + Dot.class.getName() + " as another world");
            assertThat(host.world("b")).isEmpty();
            TickHook refuses = new TickHook() {
                @Override
                public void attach(TickAccess run) {
                    throw new IllegalStateException("no room");
                }
            };
            Dot free = new Dot();
            assertThatThrownBy(() -> host.add(world(free).with(refuses))).hasMessageContaining("no room");
            host.add(world(free).name("b")); // the failed addition has released the name and the simulation
            first.close();
            host.add(world(dot).name("c"));
        }
    }

    @Test
    void shouldRefuseOtherRatesAndStepsWithinSteps() throws Exception {
        try (PhysicsHost host = PhysicsHost.builder().threads(1).lockStep(RATE).start()) {
            assertThatThrownBy(() -> host.add(world(new Dot()).rate(TickRate.hertz(60))))
                    .hasMessageContaining("give its builder the rate of the host");
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            PhysicsService world = host.add(world(new Dot(tick -> {
                try {
                    host.tickAll();
                } catch (IllegalStateException expected) {
                    thrown.complete(expected);
                }
            })));
            host.tickAll();
            assertThat(thrown.get()).hasMessageContaining("a part of a step");
            assertThat(world.lastPublishedTick()).isEqualTo(1);
        }
    }
}
