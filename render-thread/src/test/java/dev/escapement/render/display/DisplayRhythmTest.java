package dev.escapement.render.display;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.render.FrameView;
import dev.escapement.render.PublishedWorld;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rhythm learned from frame calls that come early or late. */
class DisplayRhythmTest {

    private static final long START = Long.MAX_VALUE - 1_000_000_000; // wraps within a second
    private static final long SECOND = 1_000_000_000;

    private final DisplayRhythm rhythm = new DisplayRhythm();
    private final SplittableRandom random = new SplittableRandom(7);
    private long nanos = START;
    private long shown;
    private long earlyCalls;

    @ParameterizedTest
    @CsvSource({
        "24, 1, 3000000",
        "60000, 1001, 3000000",
        "60, 1, 3000000",
        "75, 1, 3000000",
        "144, 1, 2000000",
        "360, 1, 800000"
    })
    void shouldShowTheSlotsAfterASecond(long numerator, long denominator, long jitterNanos) {
        TickRate display = new TickRate(numerator, denominator);
        double period = 1e9 * display.dtSeconds();
        run(display, jitterNanos, display.inHertz() < 50 ? 2 : 1);
        assertThat(rhythm.periodNanos()).isCloseTo(period, within(period / 100));
        assertThat(largestError(display, jitterNanos, 60)).isLessThan(200_000);
        assertThat(rhythm.periodNanos()).isCloseTo(period, within(period / 10_000));
    }

    /** If calls come evenly, each display time equals the time of its call, to the last bit. */
    @ParameterizedTest
    @CsvSource({"60000, 1001", "360, 1"})
    void shouldShowEvenCallsAsTheyAre(long numerator, long denominator) {
        TickRate display = new TickRate(numerator, denominator);
        for (long frame = 0; frame < 20 * display.inHertz(); frame++) {
            long call = START + display.nanosAt(frame);
            assertThat(rhythm.displayNanos(call)).isEqualTo(call);
            assertThat(rhythm.targetNanos()).isEqualTo(call);
        }
        assertThat(rhythm.periodNanos()).isCloseTo(1e9 * display.dtSeconds(), within(100.0));
    }

    interface Calls {

        long next(long frame, long before, SplittableRandom random);
    }

    static Stream<Calls> callsWithoutSlots() {
        // A display of variable rate waits for each call, so an early call makes the next one early, too.
        Stream<Calls> variable = Stream.of(0.02, 0.3)
                .map(spread -> (frame, before, random) ->
                        before + Math.round(1e7 * (1 + spread * (2 * random.nextDouble() - 1))));
        Stream<Calls> indistinct = Stream.of(0.45, 1.0)
                .map(periods -> (frame, before, random) -> Math.max(
                        before + 300_000,
                        slot(240, frame) + Math.round(periods * 1e9 / 240 * (2 * random.nextDouble() - 1))));
        // A rhythm of every second or third slot would be as even, but would show moments that no call asked for.
        Stream<Calls> fast = Stream.of(400, 540, 1000)
                .map(hertz -> (frame, before, random) -> slot(hertz, frame + frame / 100) + random.nextLong(100_000));
        Calls slow = (frame, before, random) -> before + 60_000_000 + random.nextLong(15_000_000);
        return Stream.of(variable, indistinct, fast, Stream.of(slow)).flatMap(calls -> calls);
    }

    private static long slot(long hertz, long frame) {
        return START + TickRate.hertz(hertz).nanosAt(frame);
    }

    @ParameterizedTest
    @MethodSource("callsWithoutSlots")
    void shouldShowCallsWithoutSlotsAsTheyAre(Calls calls) {
        for (int frame = 1; frame < 14_000; frame++) {
            nanos = calls.next(frame, nanos, random);
            assertThat(rhythm.displayNanos(nanos)).isEqualTo(nanos);
        }
    }

    @ParameterizedTest
    @CsvSource({"60, 144", "60, 59", "240, 100"})
    void shouldLearnAnotherDisplay(long from, long to) {
        run(TickRate.hertz(from), 1_000_000, 3);
        run(TickRate.hertz(to), 1_000_000, 3);
        assertThat(rhythm.periodNanos()).isCloseTo(1e9 / to, within(1e9 / to / 100));
        assertThat(largestError(TickRate.hertz(to), 1_000_000, 5)).isLessThan(200_000);
    }

    @Test
    void shouldLearnAnewAfterABreakpoint() {
        run(TickRate.hertz(60), 3_000_000, 3);
        nanos += 10 * SECOND;
        assertThat(rhythm.displayNanos(nanos)).isEqualTo(nanos);
        assertThat(rhythm.periodNanos()).isZero();
        run(TickRate.hertz(60), 3_000_000, 2);
        assertThat(largestError(TickRate.hertz(60), 3_000_000, 5)).isLessThan(200_000);
    }

    @Test
    void shouldKeepTheSlotsThroughMissedOnes() {
        TickRate display = TickRate.hertz(60);
        run(display, 2_000_000, 3);
        long first = nanos - display.nanosAt(1);
        for (long frame : new long[] {3, 4, 9, 10, 11, 14, 20}) {
            long before = shown;
            show(first + display.nanosAt(frame) + jitter(2_000_000));
            assertThat((shown - before) / rhythm.periodNanos() % 1)
                    .satisfiesAnyOf(
                            part -> assertThat(part).isLessThan(0.02),
                            part -> assertThat(part).isGreaterThan(0.98));
        }
        assertThat(rhythm.periodNanos()).isPositive();
    }

    /**
     * The learned lead grows with the jitter. Otherwise frames of early calls would be made before their snapshots are published, for ever.
     */
    @Test
    void shouldKnowHowEarlyCallsComeWhoseJitterGrows() {
        TickRate display = TickRate.hertz(60);
        run(display, 300_000, 5);
        for (int second = 1; second <= 10; second++) {
            run(display, 300_000L * second, 1);
        }
        assertThat(rhythm.periodNanos()).isPositive();
        run(display, 3_000_000, 5);
        earlyCalls = 0;
        run(display, 3_000_000, 20);
        assertThat(earlyCalls).as("of 1200").isLessThan(12);
    }

    @ParameterizedTest
    @ValueSource(longs = {60, 144})
    void shouldShowTheSlotsOfLoneStrayCalls(long hertz) {
        TickRate display = TickRate.hertz(hertz);
        run(display, 300_000, 2);
        long first = nanos - (nanos - START) % display.nanosAt(1);
        for (long frame = 2; frame < 50 * 50; frame++) {
            long last = shown;
            show(first + display.nanosAt(frame) + (frame % 50 == 0 ? -2_400_000 : jitter(300_000)));
            if (frame > 2) {
                assertThat(shown - last).isCloseTo(display.nanosAt(1), within(200_000L));
            }
        }
    }

    @Test
    void shouldShowOneMomentWhereTimeStandsStill() {
        run(TickRate.hertz(60), 3_000_000, 3);
        long last = nanos;
        long moment = rhythm.displayNanos(last);
        for (int call = 0; call < 1000; call++) {
            assertThat(rhythm.displayNanos(last)).isEqualTo(moment);
        }
        assertThat(rhythm.periodNanos()).isPositive();
    }

    /** A frame that is called early shows the moment of its slot, which is still to come when the next frames are called. */
    @Test
    void shouldNotGoBackWhereCallsFollowAnEarlyOne() {
        TickRate display = TickRate.hertz(60);
        run(display, 3_000_000, 3);
        show(nanos + display.nanosAt(1) - 3_000_000);
        for (int call = 0; call < 8; call++) {
            show(nanos + 200_000);
        }
    }

    /**
     * Frames show slots later or earlier than their calls. The view refuses a later call, with or without a display time, only if the call
     * itself goes back.
     */
    @Test
    void shouldAcceptCallsOfAllFormsThatGoForwards() {
        TickRate display = TickRate.hertz(60);
        PublishedWorld world = new PublishedWorld(3, tick -> 1_000_000);
        FrameView view = FrameView.of(world.newReader());
        long call = 0;
        for (long frame = 6; frame < 1500; frame++) {
            call = Math.max(call, display.nanosAt(frame) + jitter(3_000_000));
            world.runUntil(call);
            long last = view.clock().shownSimNanos();
            assertThat(view.advance(call)).isTrue();
            if (frame > 100 && frame < 200) {
                assertThat(view.clock().shownSimNanos() - last)
                        .as("the picture moves from slot to slot")
                        .isCloseTo(display.nanosAt(1), within(200_000L));
            }
            long slot = view.clock().displayNanos();
            long back = call - 50_000;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> view.advance(back))
                    .withMessageStartingWith("the clock went backwards by 50000 ns");
            switch (frame < 200 ? 0 : random.nextInt(40)) {
                case 1 -> {
                    call += 300_000;
                    view.advance(call, call);
                    long early = call - 1;
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> view.advance(early, early))
                            .withMessageContaining("the clock went backwards by 1 ns");
                }
                case 2 -> {
                    view.advance(call, call + 4_000_000);
                    call += 4_100_000;
                    view.advance(call);
                }
                default -> {}
            }
            assertThat(view.clock().displayNanos()).isGreaterThanOrEqualTo(slot);
        }
    }

    private void run(TickRate display, long jitterNanos, int seconds) {
        largestError(display, jitterNanos, seconds);
    }

    /** Shows frames and returns the largest difference between the displayed steps and the display's. */
    private double largestError(TickRate display, long jitterNanos, int seconds) {
        long first = nanos - (nanos - START) % display.nanosAt(1) + 2 * display.nanosAt(1);
        double largest = 0;
        long frames = (long) (seconds * display.inHertz());
        long slot = 0;
        for (long frame = 0; frame < frames; frame++) {
            long last = shown;
            long lastSlot = slot;
            slot = first + display.nanosAt(frame);
            show(slot + jitter(jitterNanos));
            if (frame > 0) {
                largest = Math.max(largest, (double) Math.abs(shown - last - (slot - lastSlot)));
            }
        }
        return largest;
    }

    private void show(long call) {
        nanos = call;
        long before = shown;
        shown = rhythm.displayNanos(call);
        earlyCalls += rhythm.targetNanos() - call > 100_000 ? 1 : 0;
        assertThat(shown - before).as("never back").isNotNegative();
        double max = rhythm.periodNanos() > 0 ? rhythm.periodNanos() / 2 + 1 : SECOND / 48.0;
        assertThat((double) Math.abs(shown - call)).isLessThanOrEqualTo(max);
    }

    private long jitter(long nanos) {
        return random.nextLong(2 * nanos + 1) - nanos;
    }
}
