package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands and queries are lambdas of every form, with an answer or without one. */
class ActionTest {

    private final TickRate rate = TickRate.hertz(100);
    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver =
            PhysicsService.builder(ScriptedSimulation.good()).rate(rate).inline(clock);
    private final List<Object> ran = new ArrayList<>();

    private void note(long tick) {
        ran.add(tick);
    }

    private long next(long tick) {
        return tick + 1;
    }

    @Test
    void shouldRunWhatReturnsNothing() {
        var block = driver.execute(tick -> {
            note(tick);
        });
        var reference = driver.execute(this::note);
        var dropped = driver.execute(tick -> next(tick));
        clock.advance(rate.nanosAt(1));
        driver.runDueTicks();
        assertThat(ran).containsExactly(1L, 1L);
        assertThat(List.of(block.join(), reference.join(), dropped.join()))
                .allSatisfy(answer -> assertThat(answer.tick()).isEqualTo(1))
                .allSatisfy(answer -> assertThat(answer.value()).isNull());
    }

    /** Also where the value of an expression could be dropped. */
    @Test
    void shouldAnswerWhatReturnsSomething() {
        var expression = driver.command(tick -> ran.add(tick));
        var block = driver.command(tick -> {
            note(tick);
            return "done";
        });
        var reference = driver.query(this::next);
        clock.advance(rate.nanosAt(1));
        driver.runDueTicks();
        assertThat(expression.join().value()).isTrue();
        assertThat(block.join().value()).isEqualTo("done");
        assertThat(reference.join().value()).isEqualTo(2L);
    }

    @Test
    void shouldFailTheFutureOfWhatThrowsThere() {
        var future = driver.execute(tick -> note(Integer.parseInt("none")));
        clock.advance(rate.nanosAt(1));
        driver.runDueTicks();
        assertThat(future).isCompletedExceptionally();
        assertThat(driver.failedCommands()).isEqualTo(1);
    }
}
