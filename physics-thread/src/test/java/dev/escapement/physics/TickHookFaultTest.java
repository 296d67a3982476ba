package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.spi.TickFault;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.InputKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the end of a run whose hook throws or hangs, and the calls of hooks when something else fails. */
@Timeout(60)
class TickHookFaultTest extends NotingHooks {

    @ParameterizedTest
    @ValueSource(strings = {"start", "between", "stepping", "stepped"})
    void shouldEndTheRunIfItThrowsBeforePublishing(String where) {
        ArithmeticException thrown = new ArithmeticException("of the hook");
        Noting failing = new Noting("a") {
            @Override
            void note(String call) {
                super.note(call);
                if (call.startsWith(where + " ") || call.equals(where)) {
                    throw thrown;
                }
            }
        };
        InlineDriver driver = drive(counter, failing);
        CompletableFuture<?> query = driver.query(tick -> tick);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).isSameAs(thrown);
        assertThatIllegalStateException().isThrownBy(driver::runDueTicks).withCause(thrown);
        assertThat(driver.failure()).contains(thrown);
        assertThat(query).isCompletedExceptionally();
        assertThat(driver.input().offer(0, InputKind.APPLICATION, 1, 0, 0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"at rest", "published"})
    void shouldThrowToTheCallerAndContinueAfterPublishing(String where) {
        Noting failing = new Noting("a") {
            @Override
            void note(String call) {
                super.note(call);
                if (call.startsWith(where + " 1")) {
                    throw new ArithmeticException("of the hook");
                }
            }
        };
        InlineDriver driver = drive(counter, failing);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).hasMessage("of the hook");
        assertThat(calls).contains("a fault in 1 THREW");
        assertThat(driver.failure()).isEmpty();
        tick(driver, 2);
        assertThat(counter.steps).isEqualTo(3);
    }

    @Test
    void shouldEndTheRunIfAResimulatedTickThrows() {
        Noting hook = new Noting("a");
        InlineDriver driver = drive(counter, hook);
        tick(driver, 4);
        CompletableFuture<?> again = hook.run().between("again", tick -> {
            hook.run().resimulate(2, atRest -> counter.breaks = true, new TwoEvents(), hook.pastFrom(1));
            return tick;
        });
        CompletableFuture<?> after = driver.command(tick -> tick);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).hasMessage("half a step");
        assertThat(driver.failure()).isPresent();
        assertThat(again).isCompletedExceptionally();
        assertThat(after).as("runs on no half state").isCompletedExceptionally();
        assertThat(calls).contains("a fault in 2 THREW");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndTheRunIfASeekHookThrows(boolean isPaused) {
        Noting failing = new Noting("a") {
            @Override
            public void sought(long tick, boolean resimulates) {
                throw new ArithmeticException("of the hook");
            }
        };
        InlineDriver driver = drive(counter, failing);
        tick(driver, 4);
        if (isPaused) {
            driver.pause();
            tick(driver, 1);
        }
        assertThat(failing.run().between("jump", tick -> {
                    failing.run().seek(2, atRest -> counter.steps = 2);
                    return tick;
                }))
                .isNotNull();
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).hasMessage("of the hook");
        assertThat(driver.failure()).isPresent();
        assertThat(calls).contains("a fault in 3 THREW");
    }

    @Test
    void shouldEndTheRunIfACommandHookThrows() {
        Noting failing = new Noting("a") {
            @Override
            public void command(long tick, Object command) {
                throw new ArithmeticException("of the hook");
            }
        };
        InlineDriver driver = drive(counter, failing);
        boolean[] ran = {false};
        CompletableFuture<?> command = driver.command(tick -> ran[0] = true);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).hasMessage("of the hook");
        assertThat(command).isCompletedExceptionally();
        assertThat(ran[0]).isFalse();
        assertThat(driver.failure()).isPresent();
    }

    @Test
    void shouldDeliverAFaultBehindAHookThatThrows() throws Exception {
        Noting failing = new Noting("a") {
            @Override
            public void fault(TickFault fault) {
                super.fault(fault);
                throw new ArithmeticException("of the hook");
            }
        };
        counter.breaks = true;
        PhysicsService service = PhysicsService.builder(counter)
                .with(failing)
                .with(new Noting("b"))
                .onFailure(failure -> {})
                .start();
        Await.state(service, ServiceState.FAILED);
        assertThat(service.failure())
                .hasValueSatisfying(cause -> assertThat(cause).hasMessage("half a step"));
        assertThat(service.query(tick -> tick)).isCompletedExceptionally();
        service.close();
        assertThat(calls).contains("a fault in 1 THREW", "b fault in 1 THREW", "a end", "b end");
    }

    @Test
    void shouldCallNoOtherHookOnceAbandonedInOne() throws Exception {
        CountDownLatch letGo = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        TickHook hanging = new TickHook() {
            @Override
            public void command(long tick, Object command) {
                Await.open(letGo);
            }
        };
        Counter closing = new Counter() {
            @Override
            public void close() {
                closed.countDown();
            }
        };
        PhysicsService service = PhysicsService.builder(closing)
                .with(hanging)
                .with(new Noting("b"))
                .watchdog(50)
                .onFailure(failure -> {})
                .start();
        boolean[] ran = {false};
        assertThat(service.command(tick -> ran[0] = true)).isNotNull();
        Await.state(service, ServiceState.FAILED);
        service.close();
        letGo.countDown();
        closed.await(); // the thread closes the simulation when it returns
        assertThat(calls).noneMatch(call -> call.startsWith("b command"));
        assertThat(ran[0]).isFalse();
    }
}
