package dev.escapement.physics.replay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.Logged;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StateHistoryTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BODIES = 100;

    private final ManualClock clock = new ManualClock(0);

    @Test
    void shouldRefuseToKeepNoTime() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StateHistory.of(Duration.ZERO))
                .withMessage("a history keeps some time, but is to keep PT0S");
    }

    @Test
    void shouldKeepALengthOfTimeInTicks() {
        StateHistory history = StateHistory.of(Duration.ofMillis(800));
        try (InlineDriver driver = driver(new PushedMasses(3), history)) {
            tick(driver, 500);
            assertThat(history.store().ticks()).isEqualTo(80);
            assertThat(history.store().has(420)).isTrue();
            assertThat(history.store().has(400)).isFalse();
        }
    }

    /** The first history has room, though its run is still shorter; the second one forgets ticks that nobody asked for. */
    @Test
    void shouldSayHowMuchFitsIfThatIsLess() {
        try (Logged logged = new Logged("physics")) {
            for (StateHistory history :
                    List.of(StateHistory.ofTicks(1000), StateHistory.ofTicks(40).maxBytes(1 << 16))) {
                try (InlineDriver driver = driver(new PushedMasses(3), history)) {
                    tick(driver, 100);
                }
            }
            assertThat(logged.records).isEmpty();
            StateHistory small = StateHistory.ofTicks(1000).maxBytes(1 << 16);
            try (InlineDriver driver = driver(new PushedMasses(BODIES), small)) {
                tick(driver, 500);
                long kept = driver.stats().counts().getOrDefault("history-ticks", 0L);
                assertThat(small.store().has(500 - kept)).isTrue();
                assertThat(small.store().has(500 - kept - 1)).isFalse();
                assertThat(kept).isBetween(1L, 100L);
            }
            assertThat(logged.records)
                    .singleElement()
                    .satisfies(
                            line -> assertThat(line.getMessage())
                                    .matches(
                                            "A history keeps 0[.]\\d+ s, which are \\d+ of 1000 ticks: its 65536 bytes have.*every.*"));
        }
    }

    /**
     * The reconciler skips a state if a command without a {@code CommandType} ran after its tick. So late input is refused only because of
     * the command, until a rewind to a tick before the command.
     */
    @Test
    void shouldDecideNothingByAStateThatItSkips() {
        StateHistory history = StateHistory.ofTicks(40);
        List<Reconciled.Outcome> told = new ArrayList<>();
        Reconciler reconciler = new Reconciler(history, reconciled -> told.add(reconciled.outcome()));
        PushedMasses masses = new PushedMasses(3);
        PushedMasses authority = new PushedMasses(3);
        authority.push(1, 1, 0, 0);
        StateBuffer state = new StateBuffer();
        authority.save(state);
        try (InlineDriver driver = driver(masses, reconciler)) {
            tick(driver, 5);
            assertThat(driver.command(next -> next)).isNotNull();
            tick(driver, 5);
            for (long tick : new long[] {5, 5, 4}) { // a first state, its repetition, and a late one
                reconciler.offer(tick, authority.hash(), state.toBytes());
                tick(driver, 1);
            }
            assertThat(told).containsExactly(Reconciled.Outcome.SKIPPED);
            assertThat(history.decided()).isEqualTo(-1);
            reconciler.offer(8, authority.hash(), state.toBytes());
            tick(driver, 1);
            assertThat(told).containsExactly(Reconciled.Outcome.SKIPPED, Reconciled.Outcome.CORRECTED);
        }
    }

    /** The limit of a rollback counts published ticks, undone ones included, because contacts are kept by the published tick. */
    @Test
    void shouldResimulateNoTicksTooFarBackForReaders() {
        StateHistory history = StateHistory.ofTicks(40).rollBack(2);
        List<Boolean> may = new ArrayList<>();
        TickHook asks = new TickHook() {
            @Override
            public void sought(long tick, boolean resimulates) {
                may.add(history.canResimulate(3));
            }
        };
        try (InlineDriver driver = driver(new PushedMasses(3), history, asks)) {
            tick(driver, 4);
            for (int i = 0; i < 2; i++) {
                assertThat(history.rewind(3)).isNotNull();
                tick(driver, 1);
            }
        }
        assertThat(may).as("one tick was undone, then two").containsExactly(true, false);
    }

    /** A driver rethrows a listener's exception, and continues; the history keeps the tick. */
    @Test
    void shouldKeepATickWhoseEventsThrew() {
        StateHistory history = StateHistory.ofTicks(40).every(5);
        PushedMasses masses = new PushedMasses(3) {
            private long tick;

            @Override
            public void step(Tick next) {
                super.step(next);
                tick = next.number();
            }

            @Override
            public void events(EventWriter events) {
                if (tick == 8) {
                    throw new IllegalStateException("too many contacts");
                }
            }
        };
        try (InlineDriver driver = driver(masses, history)) {
            driver.events(16);
            tick(driver, 7);
            clock.advance(10_000_000);
            assertThatIllegalStateException().isThrownBy(driver::runDueTicks).withMessage("too many contacts");
            long hash = masses.hash();
            tick(driver, 5);
            assertThat(history.store().has(3)).isTrue();
            CompletableFuture<Rewound> went = history.rewind(8);
            driver.runDueTicks();
            assertThat(went).isCompletedWithValue(new Rewound(13, 8, 13));
            assertThat(masses.hash()).isEqualTo(hash);
        }
    }

    @Test
    void shouldAllocateNothingWhenThePastIsFull() {
        requireFewAllocations(StateHistory.ofTicks(1_000_000).maxBytes(300_001).every(3), new PushedMasses(BODIES));
        requireFewAllocations(StateHistory.ofTicks(40).rollBack(12), new PushedMasses(BODIES));
        requireFewAllocations(new Reconciler(StateHistory.ofTicks(40), told -> {}), new PushedMasses(BODIES));
        requireFewAllocations(
                StateHistory.ofTicks(5).maxBytes(1 << 16), new PushedMasses(1400)); // has room for no state
    }

    private void requireFewAllocations(TickHook history, PushedMasses masses) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (InlineDriver driver = driver(masses, history)) {
            tick(driver, 1000);
            long before = threads.getCurrentThreadAllocatedBytes();
            tick(driver, 1000);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated).isLessThan(1000 * 8); // a boxed number in each tick would take 16 bytes
        }
    }

    private InlineDriver driver(Simulation simulation, TickHook... hooks) {
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation).rate(RATE);
        for (TickHook hook : hooks) {
            builder.with(hook);
        }
        return builder.inline(clock);
    }

    private void tick(InlineDriver driver, int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(10_000_000);
            driver.runDueTicks();
        }
    }
}
