package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.request.AnswerThread;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rounds of real threads: the hanging thread comes back at the very moment at which it is abandoned. */
@Timeout(60)
class AbandonRaceTest {

    private static final int ROUNDS = 15;
    private static final long LIMIT_NANOS = 8_000_000;

    @Test
    void shouldTellOfTheHangAndNotOfTheComingBack() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            PhysicsThread[] self = new PhysicsThread[1];
            PhysicsThread life = life(new ScriptedSimulation(tick -> awaitAbandoned(self[0])));
            self[0] = life;
            life.start(System.nanoTime());
            Await.until(() -> life.state() == ServiceState.FAILED);
            assertThat(life.failure.cause()).containsInstanceOf(HungSimulationException.class);
            life.awaitEnd();
        }
    }

    /** Somebody else is half way through the abandonment when the end is awaited. */
    @Test
    void shouldHaveFailedWhenTheEndOfAnAbandonedThreadWasAwaited() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch letGo = new CountDownLatch(1);
            PhysicsThread life = life(new ScriptedSimulation(tick -> letGo.await()));
            life.start(System.nanoTime());
            Await.until(life.loop.guard::isAbandoned);
            life.cancel();
            life.awaitEnd();
            ServiceState state = life.state();
            letGo.countDown();
            assertThat(state).isEqualTo(ServiceState.FAILED);
        }
    }

    /** A close() that takes too long is given up, and then returns at once. */
    @Test
    void shouldNotSayClosedAndThenFailed() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            PhysicsThread[] self = new PhysicsThread[1];
            PhysicsThread life = life(new ScriptedSimulation(tick -> {}) {
                @Override
                public void close() {
                    awaitAbandoned(self[0]);
                }
            });
            self[0] = life;
            life.start(System.nanoTime());
            Thread ending = new Thread(() -> {
                life.cancel();
                life.awaitEnd();
            });
            ending.start();
            Await.until(() -> life.state() == ServiceState.CLOSED || life.state() == ServiceState.FAILED);
            assertThat(life.state()).isEqualTo(ServiceState.FAILED);
            ending.join();
        }
    }

    /** The verdict is of a call that has ended; if it came true, the state would say FAILED while the simulation is being closed. */
    @Test
    void shouldNotAbandonWhatHasThrownMeanwhile() throws Exception {
        PhysicsThread[] self = new PhysicsThread[1];
        AtomicLong crossings = new AtomicLong();
        AtomicBoolean abandoned = new AtomicBoolean();
        PhysicsThread life = life(
                new ScriptedSimulation(tick -> {
                    crossings.set(self[0].loop.guard.crossings());
                    throw new IllegalStateException("engine full");
                }) {
                    @Override
                    public void close() {
                        abandoned.set(self[0].loop.guard.abandon(crossings.get()));
                        super.close();
                    }
                });
        self[0] = life;
        life.start(System.nanoTime());
        Await.until(() -> life.state() == ServiceState.FAILED || life.loop.guard.isAbandoned());
        assertThat(abandoned).isFalse();
        assertThat(life.failure.cause().orElseThrow()).hasMessage("engine full");
        life.awaitEnd();
    }

    private static void awaitAbandoned(PhysicsThread life) {
        while (!life.loop.guard.isAbandoned()) {
            Thread.onSpinWait(); // a daemon, whom no test waits for in vain
        }
    }

    private static PhysicsThread life(Simulation simulation) {
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
        builder.watchdogNanos = LIMIT_NANOS;
        builder.closeTimeoutNanos = LIMIT_NANOS;
        NanoClock clock = NanoClock.system();
        return PhysicsThread.create(new TickLoop(builder, clock, AnswerThread.create()));
    }
}
