package dev.escapement.physics.replay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HistoryStoreTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BODIES = 100;
    private static final long ROOM = 256L << 20;

    private final PushedMasses masses = new PushedMasses(BODIES);
    private final RecordedInput input = new RecordedInput();
    private long number;

    private record Stepped(Tick tick, List<CommandData> commands, String local, long stateHash)
            implements TickHook.Stepped {}

    private void step(HistoryStore history, int ticks) {
        run(history, ticks, true);
    }

    private void rest(HistoryStore history, int ticks) {
        run(history, ticks, false);
    }

    /** Calls the store in the order of a tick loop. */
    private void run(HistoryStore history, int ticks, boolean moves) {
        for (int i = 0; i < ticks; i++) {
            number++;
            input.begin(10_000_000 + number);
            Tick tick = Tick.of(RATE, number, 10_000_000 * number, 0, input.frame(), false);
            if (moves) {
                masses.step(tick);
            }
            history.stepped(new Stepped(tick, List.of(), "", masses.hash()));
            history.atRest(number, false);
        }
    }

    private HistoryStore begun(long ticks, int every, long maxBytes) {
        return begun(masses, ticks, every, maxBytes);
    }

    private static HistoryStore begun(PushedMasses masses, long ticks, int every, long maxBytes) {
        HistoryStore history = new HistoryStore(masses, RATE, ticks, every, maxBytes);
        history.start(0);
        return history;
    }

    private static long firstKept(HistoryStore history, long last) {
        long first = last;
        while (first > 0 && history.has(first - 1)) {
            first--;
        }
        return first;
    }

    @Test
    void shouldKeepTheTicksAskedForAndFewMore() {
        HistoryStore history = begun(80, 3, ROOM);
        for (int i = 0; i < 40; i++) {
            step(history, 17);
            assertThat(firstKept(history, number))
                    .isBetween(Math.max(0, number - 80 - 80 / 8 - 3), Math.max(0, number - 80));
        }
    }

    @Test
    void shouldKeepWhatFitsAndNeverTakeMoreBytes() {
        long maxBytes = 1 << 20;
        HistoryStore history = begun(1_000_000, 1, maxBytes);
        int stateBytes = 8 + BODIES * 6 * 8;
        for (int i = 0; i < 20; i++) {
            step(history, 50);
            assertThat(history.bytes()).isLessThanOrEqualTo(maxBytes);
        }
        assertThat(number - firstKept(history, number)).isGreaterThan(maxBytes / 3 / stateBytes);
    }

    @Test
    void shouldBeginAPartBeforeAnArrayCannotGrow() {
        assertThat(HistoryStore.fullAt(1 << 20)).isEqualTo(1 << 17);
        assertThat(HistoryStore.fullAt(1L << 40)).isEqualTo(1 << 28);
    }

    @Test
    void shouldKeepWhatIsOlderHoweverOftenItGoesBack() {
        HistoryStore history = begun(200, 1, 1 << 20);
        step(history, 60);
        for (int i = 0; i < 300; i++) {
            history.sought(50);
            number = 50;
            step(history, 5);
        }
        assertThat(firstKept(history, number)).isZero();
        assertThat(history.bytes()).isLessThan(1 << 20);
    }

    @Test
    void shouldStoreNoStateAgainWhenItGoesBack() {
        HistoryStore history = begun(200, 1, ROOM);
        rest(history, 20);
        for (int i = 0; i < 100; i++) { // as if each input came three ticks late
            number -= 3;
            history.sought(number);
            rest(history, 4);
        }
        long stateBytes = 8 + BODIES * 6 * 8;
        assertThat(history.storedBytes()).isLessThan(12 * stateBytes);
        assertThat(firstKept(history, number)).isZero();
    }

    @Test
    void shouldReturnEachSavedStateHoweverOftenItGoesBack() throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        for (int every : new int[] {1, 3}) {
            number = 0;
            HistoryStore history = begun(40, every, ROOM);
            Map<Long, byte[]> states = new HashMap<>(Map.of(number, saved().toBytes()));
            for (int i = 0; i < 200; i++) {
                for (int ticks = random.nextInt(6); ticks > 0; ticks--) {
                    if (every == 1) { // without re-simulation, a push between ticks may change a part of the state
                        masses.push(random.nextInt(BODIES), 1, 0, 0);
                        rest(history, 1);
                    } else {
                        step(history, 1);
                    }
                    states.put(number, saved().toBytes());
                }
                long back = random.nextLong(firstKept(history, number), number + 1);
                history.past(back).restore(masses, null);
                assertThat(saved().toBytes()).isEqualTo(states.get(back));
                history.sought(back);
                number = back;
            }
        }
    }

    private StateBuffer saved() {
        StateBuffer state = new StateBuffer();
        masses.save(state);
        return state;
    }

    @Test
    void shouldSayThatAStateHasNoRoom() {
        HistoryStore history = begun(new PushedMasses(2000), 5, 1, 1 << 16);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history.past(0))
                .withMessage(
                        "the run cannot go back to tick 0: no tick is kept, because a state of 96008 bytes has no room in"
                                + " 65536; give the history more with maxBytes");
        assertThat(history.bytes()).isZero();
    }

    @Test
    void shouldStoreOnlyWhatHasChanged() {
        HistoryStore history = begun(100_000, 1, ROOM);
        long before = history.bytes();
        rest(history, 1000);
        assertThat(history.bytes() - before).isLessThan(2 * 1000 * 60); // an array may be twice as large as its content
    }

    @Test
    void shouldReturnTheInputOfATickWithoutARestore() {
        HistoryStore history = begun(40, 5, ROOM);
        step(history, 12);
        assertThat(history.past(8).input().lengthNanos()).isEqualTo(10_000_008);
    }

    /** A store begins anew at a tick that does not follow the last one, as in a replay that starts in the middle of a run. */
    @Test
    void shouldBeginAnewAtATickThatDoesNotFollow() {
        HistoryStore history = begun(100, 1, ROOM);
        step(history, 10);
        number += 50;
        step(history, 3);
        assertThat(firstKept(history, number)).isEqualTo(61);
    }
}
