package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.spi.TickAccess;
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
        InlineDriver driver = drive(counter, new Noting("a").on(where, run -> {
                    throw thrown;
                }));
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
        InlineDriver driver = drive(counter, new Noting("a").on(where + " 1", TickHookFaultTest::fail));
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
        Noting failing = new Noting("a").on("went back", TickHookFaultTest::fail);
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
        InlineDriver driver = drive(counter, new Noting("a").on("command", TickHookFaultTest::fail));
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
        counter.breaks = true;
        PhysicsService service = PhysicsService.builder(counter)
                .with(new Noting("a").on("fault", TickHookFaultTest::fail))
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
        ScriptedSimulation closing = ScriptedSimulation.good();
        PhysicsService service = PhysicsService.builder(closing)
                .with(new Noting("a").on("command", run -> Await.open(letGo)))
                .with(new Noting("b"))
                .watchdog(50)
                .onFailure(failure -> {})
                .start();
        boolean[] ran = {false};
        assertThat(service.command(tick -> ran[0] = true)).isNotNull();
        Await.state(service, ServiceState.FAILED);
        service.close();
        letGo.countDown();
        closing.closed.await(); // the thread closes the simulation when it returns
        assertThat(calls).noneMatch(call -> call.startsWith("b command"));
        assertThat(ran[0]).isFalse();
    }

    private static void fail(TickAccess run) {
        throw new ArithmeticException("of the hook");
    }
}
