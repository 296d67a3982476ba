package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.SteppedTick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests tick hooks: when each method is called, and what it may do. */
@Timeout(60)
class TickHookTest extends NotingHooks {

    @Test
    void shouldBeCalledInOrderAroundATick() {
        PushedMasses masses = new PushedMasses(1);
        InlineDriver driver = drive(masses, new Noting("a"), new Noting("b"));
        assertThatIllegalStateException()
                .isThrownBy(() -> masses.commands().on(Push.TYPE, (tick, push) -> 0))
                .withMessageContaining("comes too late");
        assertThat(driver.command(Push.TYPE, new Push(0, 1))).isNotNull();
        tick(driver, 1);
        driver.close();
        List<String> ofEach = List.of(
                "begin",
                "start after 0",
                "between",
                "command of 1",
                "stepping 1",
                "stepped 1 commands 1 local false",
                "at rest 1 changed",
                "published 1 of 1",
                "end");
        List<String> expected = new ArrayList<>();
        ofEach.forEach(call -> expected.addAll(List.of("a " + call, "b " + call)));
        assertThat(calls).isEqualTo(expected);
    }

    @Test
    void shouldOfferNoSeekThatWouldLoseACommand() {
        InlineDriver driver = drive(counter, new Noting("a"));
        tick(driver, 1);
        driver.pause();
        tick(driver, 1);
        assertThat(driver.command(tick -> tick)).isNotNull();
        driver.runDueTicks(); // while paused
        calls.clear();
        driver.step();
        driver.runDueTicks();
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        assertThat(calls).contains("a stepped 3 commands 0 local true").doesNotContain("a between");
        driver.runDueTicks();
        assertThat(calls).contains("a between");
    }

    @Test
    void shouldComputeOneHashHoweverManyAsk() {
        int[] hashed = {0};
        Simulation hashing = new Counter() {
            @Override
            public long hash() {
                return ++hashed[0];
            }
        };
        TickHook asking = new TickHook() {
            @Override
            public void stepped(SteppedTick tick) {
                assertThat(tick.stateHash()).isEqualTo(tick.stateHash());
            }
        };
        tick(drive(hashing, asking, asking), 3);
        assertThat(hashed[0]).isEqualTo(3);
    }

    @Test
    void shouldJumpBetweenTwoTicks() {
        Noting jumping = new Noting("a").on("between", run -> {
            if (run.publishedTick() == 4) {
                run.seek(1, atRest -> counter.steps = 1);
            }
        });
        InlineDriver driver = drive(counter, jumping);
        SnapshotReader reader = driver.newReader();
        tick(driver, 6);
        assertThat(counter.steps).isEqualTo(3);
        assertThat(calls).contains("a went back to 1", "a stepping 2", "a published 5 of 2", "a published 6 of 3");
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newest().simulationTick()).isEqualTo(3);
        assertThat(reader.window().snapshot(1).motion(0).breaks().count())
                .as("tick 5")
                .isOne();
    }

    @Test
    void shouldResimulateTicksUpToWhereTheRunIs() {
        Noting hook = new Noting("a");
        InlineDriver driver = drive(counter, hook.on("between", run -> {
            if (run.publishedTick() == 5 && !calls.contains("a went back to 2 to re-simulate")) {
                run.resimulate(3, this::restoreElsewhere, new TwoEvents(), hook.pastFrom(3));
            }
        }));
        EventStream events = driver.events(64);
        tick(driver, 5);
        calls.clear();
        tick(driver, 1);
        assertThat(calls)
                .containsExactly(
                        "a between",
                        "a went back to 2 to re-simulate",
                        "a stepping 3",
                        "a stepped 3 commands 0 local false",
                        "a contacts 3",
                        "a at rest 3",
                        "a stepping 4",
                        "a stepped 4 commands 0 local false",
                        "a contacts 4",
                        "a at rest 4",
                        "a stepping 5",
                        "a stepped 5 commands 0 local false",
                        "a contacts 5",
                        "a at rest 5",
                        "a stepping 6",
                        "a stepped 6 commands 0 local false",
                        "a at rest 6",
                        "a published 6 of 6");
        assertThat(counter.steps).isEqualTo(-6);
        assertThat(counter.inputs).containsExactly(0, 0, 0, 0, 0, 2, 2, 2, 0);
        assertThat(driver.stats().resimulatedTicks()).isEqualTo(3);
        List<BodyEvent.Kind> kinds = new ArrayList<>();
        events.drain(event -> kinds.add(event.kind()));
        assertThat(kinds)
                .as("only a correction adds events of past ticks")
                .containsExactly(BodyEvent.Kind.SPAWNED, BodyEvent.Kind.CONTACT_BEGAN);
    }

    private void restoreElsewhere(@Nullable Callable<?> atRest) throws Exception {
        counter.steps = -10;
        Objects.requireNonNull(atRest).call();
    }

    @Test
    void shouldRefuseToResimulateTicksThatAreNotKept() {
        Noting few = new Noting("a");
        few.on("between", run -> {
            if (run.publishedTick() == 5) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> run.resimulate(2, this::restoreElsewhere, new TwoEvents(), few.pastFrom(3)))
                        .withMessage("tick 2 is not known");
            }
        });
        tick(drive(counter, few), 6);
        assertThat(counter.steps).as("nothing was restored").isEqualTo(6);
    }

    @Test
    void shouldRefuseToJumpWithinATick() {
        Noting within = new Noting("a")
                .on(
                        "stepped",
                        run -> assertThatIllegalStateException()
                                .isThrownBy(() -> run.seek(0, atRest -> counter.steps = 0))
                                .withMessageContaining("a run seeks between two ticks only"));
        tick(drive(counter, within), 2);
        assertThatIllegalStateException()
                .as("on another thread, or outside of the run")
                .isThrownBy(() -> within.run().seek(0, atRest -> counter.steps = 0));
        assertThat(counter.steps).isEqualTo(2);
    }

    @Test
    void shouldSeekInTheOrderOfCommands() {
        Noting hook = new Noting("a");
        InlineDriver driver = drive(counter, hook);
        tick(driver, 5);
        List<Long> ticks = new ArrayList<>();
        CompletableFuture<?> before = driver.command(ticks::add);
        CompletableFuture<?> jump = hook.run().between("jump(2)", tick -> {
            hook.run().seek(2, atRest -> counter.steps = 2);
            return tick;
        });
        CompletableFuture<?> after = driver.command(ticks::add);
        tick(driver, 1);
        assertThat(before).isCompleted();
        assertThat(jump).isCompleted();
        assertThat(after).isCompleted();
        assertThat(ticks).containsExactly(6L, 3L);
        assertThat(counter.steps).isEqualTo(3);
    }

    @Test
    void shouldRefuseToResimulateAfterACommandOfTheRound() {
        Noting hook = new Noting("a");
        InlineDriver driver = drive(new PushedMasses(1), hook);
        tick(driver, 4);
        assertThat(driver.command(Push.TYPE, new Push(0, 1))).isNotNull();
        CompletableFuture<?> again = hook.run().between("again", tick -> {
            hook.run().resimulate(3, atRest -> {}, new TwoEvents(), hook.pastFrom(1));
            return tick;
        });
        tick(driver, 1);
        assertThatThrownBy(again::join).hasMessageContaining("commands have run since tick 4");
        assertThat(calls).contains("a stepped 5 commands 1 local false");
    }
}
