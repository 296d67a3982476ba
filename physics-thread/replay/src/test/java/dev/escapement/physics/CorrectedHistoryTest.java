package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.replay.history.Reconciled;
import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Histories of runs that begin anew: corrected by an authority, following a log, or forked. */
class CorrectedHistoryTest extends RewindFixture {

    private final List<Reconciled> reconciled = new ArrayList<>();
    private final StateHistory kept = StateHistory.ofTicks(20);
    private final Reconciler reconciler = new Reconciler(kept, reconciled::add);

    private static byte[] saved(PushedMasses masses) {
        StateBuffer state = new StateBuffer();
        masses.save(state);
        return state.toBytes();
    }

    /** Creates an authority's world: {@code state}, with one more push of a body. */
    private static PushedMasses pushed(byte[] state) {
        PushedMasses authority = new PushedMasses(BODIES);
        authority.restore(new StateBuffer(state));
        authority.push(1, 0, 30, 0);
        return authority;
    }

    private void offer(long tick, PushedMasses authority) {
        reconciler.offer(tick, authority.hash(), saved(authority));
    }

    private void requireThatTheRunGoesBackTo(StateHistory history, long tick, long hashAfterTheNext) {
        CompletableFuture<Rewound> went = history.rewind(tick);
        run(1);
        assertThat(went.join().to()).isEqualTo(tick);
        assertThat(masses.hash()).isEqualTo(hashAfterTheNext);
    }

    @Test
    void shouldTakeTheAuthoritysStateBeforeTheFirstTick() {
        start(PhysicsService.builder(masses).rate(RATE).with(reconciler).firstTick(51));
        PushedMasses authority = pushed(saved(masses));
        offer(50, authority);
        run(1);
        assertThat(reconciled).extracting(Reconciled::outcome).containsExactly(Reconciled.Outcome.STARTED_ANEW);
        assertThat(masses.last()).isEqualTo(51);
        requireThatTheRunGoesBackTo(kept, 50, masses.hash());
    }

    @Test
    void shouldChangeNothingForEqualHashesDespiteAMissingTick() {
        boolean[] fails = {false};
        TickHook failing = new TickHook() {
            @Override
            public void atRest(long tick, boolean bodiesChanged) {
                if (fails[0]) {
                    fails[0] = false;
                    throw new IllegalStateException("after publishing");
                }
            }
        };
        start(PhysicsService.builder(masses).rate(RATE).with(failing).with(reconciler));
        run(20);
        byte[] state = saved(masses);
        long hash = masses.hash();
        run(9);
        fails[0] = true;
        clock.advance(10_000_000);
        assertThatThrownBy(driver::runDueTicks).hasMessage("after publishing");
        reconciler.offer(20, hash, state);
        run(1);
        assertThat(reconciled).isEmpty();
        assertThat(masses.last()).isEqualTo(31);
    }

    @Test
    void shouldEndADragWhenTheAuthorityWasAhead() {
        Dragged dragged = new Dragged();
        start(PhysicsService.builder(dragged).rate(RATE).with(reconciler));
        run(2);
        DragInput.hold(driver.input(), clock.nanoTime() + 1, BodyId.of(0, 1));
        run(5);
        StateBuffer held = new StateBuffer();
        dragged.save(held);
        reconciler.offer(20, dragged.hash(), held.toBytes());
        run(3);
        assertThat(dragged.spring.slot()).isZero();
        DragInput.end(driver.input(), clock.nanoTime() + 1);
        run(2);
        assertThat(kept.rewind(21)).isNotNull();
        run(3);
        assertThat(dragged.spring.slot()).as("its end was dropped").isEqualTo(-1);
    }

    @Test
    void shouldRefuseASecondHistoryBesideAReconciler() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PhysicsService.builder(new PushedMasses(1))
                        .with(reconciler)
                        .with(StateHistory.ofTicks(5))
                        .inline(clock))
                .withMessageContaining("a run that is corrected has one history");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PhysicsService.builder(new PushedMasses(1))
                        .with(StateHistory.ofTicks(5).rollBack(3))
                        .with(StateHistory.ofTicks(5).rollBack(5))
                        .inline(clock))
                .withMessageContaining("two histories cannot roll back");
    }

    @Test
    void shouldForkAForkAtItsStartWithHeldKeys() {
        driver.input().offer(5, InputKind.KEY_DOWN, 87, 0, 0);
        run(30);
        TracedMasses fork = new TracedMasses(BODIES);
        CompletableFuture<PhysicsServiceBuilder> forked = history.fork(20, () -> fork);
        run(1);
        StateHistory ofFork = StateHistory.ofTicks(50);
        TracedMasses forkOfFork = new TracedMasses(BODIES);
        ManualClock later = new ManualClock(0);
        try (InlineDriver first = forked.join().with(ofFork).inline(later)) {
            later.advance(10_000_000);
            first.runDueTicks();
            CompletableFuture<PhysicsServiceBuilder> again = ofFork.fork(20, () -> forkOfFork);
            first.runDueTicks();
            ManualClock last = new ManualClock(0);
            try (InlineDriver second = again.join().inline(last)) {
                last.advance(10_000_000);
                assertThat(second.runDueTicks()).isOne();
            }
        }
        assertThat(forkOfFork.got(21, 21)).isEqualTo(fork.got(21, 21));
        assertThat(fork.got(21, 21).toString()).contains("holds 87");
    }

    /** A world that touches the ground from its fifth tick to its eighth. */
    private static final class Touching extends PushedMasses {

        private long tick;

        Touching() {
            super(1);
        }

        @Override
        public void step(Tick next) {
            super.step(next);
            tick = next.number();
        }

        @Override
        public void events(EventWriter events) {
            if (tick == 5) {
                events.contactBegan(0, EventWriter.NO_BODY, 0, 0, 0, 0, 1, 0);
            } else if (tick == 8) {
                events.contactEnded(0, EventWriter.NO_BODY);
            }
        }
    }

    @Test
    void shouldTellALaterSubscriberNoContactsOfRepeatedTicks() {
        start(new Touching(), StateHistory.ofTicks(100).rollBack(50));
        run(10);
        EventStream late = driver.events(64);
        run(1);
        driver.input().offer(20_000_000L, InputKind.KEY_DOWN, 60, 0, 0);
        run(1);
        assertThat(driver.stats().rollbacks()).isOne();
        List<BodyEvent.Kind> kinds = new ArrayList<>();
        late.drain(event -> kinds.add(event.kind()));
        assertThat(kinds).isEmpty();
    }
}
