package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.request.AnswerThread;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One life, without the service around it: what it says of its end, and when. */
@Timeout(60)
class PhysicsThreadTest {

    private static final long MILLI = 1_000_000;
    private static final long ROUNDS_NANOS = 700 * MILLI;

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");
    private final ManualClock clock = new ManualClock(0);

    /** Tick 1 is late: of the seven deadlines before the close one ran. */
    @Test
    void shouldAccountForWhatWasDueBeforeTheCloseAndNeverRan() throws Exception {
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        PhysicsThread life = life(
                new ScriptedSimulation(tick -> {
                    inStep.countDown();
                    letGo.await();
                }),
                clock,
                LateTicks.runAll());
        life.start(0);
        clock.advance(10 * MILLI);
        inStep.await();
        clock.advance(65 * MILLI);
        life.cancel();
        letGo.countDown();
        life.awaitEnd();
        assertThat(life.closedAtNanos()).isEqualTo(75 * MILLI);
        assertThat(life.loop.schedule.nextTick()).isEqualTo(2);
        assertThat(life.loop.schedule.givenUpTicks()).isEqualTo(6);
        assertThat(life.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** Rounds of real threads. For the thread that closes it is an hour later, so that what was due by then is no small number. */
    @Test
    void shouldKnowWhenItWasClosedBeforeItEnds() throws Exception {
        Thread closing = Thread.currentThread();
        NanoClock clocks = () -> Thread.currentThread() == closing ? TimeUnit.HOURS.toNanos(1) : 0;
        long end = System.nanoTime() + ROUNDS_NANOS;
        do {
            PhysicsThread life = life(ScriptedSimulation.good(), clocks, LateTicks.skip());
            life.start(0);
            life.cancel();
            life.awaitEnd();
            assertThat(life.loop.schedule.givenUpTicks()).isEqualTo(359_999);
        } while (System.nanoTime() < end);
    }

    /** Rounds of real threads, with an observer that looks as soon as it can. */
    @Test
    void shouldShowTheCauseToEachThreadThatReadsThatItFailed() throws Exception {
        long end = System.nanoTime() + ROUNDS_NANOS;
        do {
            PhysicsThread life = life(ScriptedSimulation.failingFrom(1, cause), NanoClock.system(), LateTicks.skip());
            life.start(System.nanoTime() - 10 * MILLI); // tick 1 is due at once
            Await.until(() -> life.state() == ServiceState.FAILED);
            assertThat(life.failure.cause()).containsSame(cause);
            life.awaitEnd();
        } while (System.nanoTime() < end);
    }

    /** Futures that could not be completed at the failure are completed at the end, and what the thread has is closed. */
    @Test
    void shouldEndInOrderIfThereIsNoMemoryForTheFailure() throws Exception {
        AnswersWithoutMemory answers = new AnswersWithoutMemory();
        ScriptedSimulation failing = ScriptedSimulation.failingFrom(1, cause);
        PhysicsThread life = PhysicsThread.create(
                new TickLoop(PhysicsService.builder(failing).onFailure(told -> {}), NanoClock.system(), answers));
        life.start(System.nanoTime() - 10 * MILLI);
        life.awaitEnd();
        assertThat(life.state()).isEqualTo(ServiceState.FAILED);
        assertThat(life.failure.cause()).containsSame(cause);
        assertThat(cause.getSuppressed()).containsExactly(answers.noMemory);
        assertThat(failing.closed.getCount()).isZero();
        assertThat(answers.ends).isEqualTo(2);
    }

    private static final class AnswersWithoutMemory implements CommandQueue.Answers {

        final OutOfMemoryError noMemory = new OutOfMemoryError("planted");
        int ends;

        @Override
        public void execute(Runnable answer) {
            answer.run();
        }

        @Override
        public void end() {
            if (ends++ == 0) {
                throw noMemory;
            }
        }
    }

    /** At 100 Hz, and without parks, so that a clock that is moved by hand is seen to have moved. */
    private static PhysicsThread life(Simulation simulation, NanoClock clock, LateTicks lateTicks) {
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation).rate(TickRate.hertz(100));
        builder.waiting = new SpinningWaiting();
        return PhysicsThread.create(new TickLoop(builder.lateTicks(lateTicks), clock, AnswerThread.create()));
    }
}
