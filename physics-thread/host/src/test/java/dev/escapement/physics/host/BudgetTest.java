package dev.escapement.physics.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BudgetTest {

    private final Crew crew = Hosts.crew(2);

    /** Returns a digit for each seat: 1 if it is over its budget, else 0. */
    private String over(Seat... seats) {
        new HostWatch(crew).share(seats);
        StringBuilder over = new StringBuilder();
        for (Seat seat : seats) {
            over.append(seat.isOver() ? 1 : 0);
        }
        return over.toString();
    }

    private Seat using(double periods) {
        return Hosts.using(crew, 1, periods);
    }

    @Test
    void shouldReserveAThreadBesideARogue() {
        assertThat(over(using(3), using(0.001), using(0.001))).isEqualTo("100");
        assertThat(crew.reserved).isEqualTo(1);
    }

    /** The unneeded parts of small worlds go to the large ones, so that each of these may use 0.95 of a thread. */
    @Test
    void shouldShareWhatOthersDoNotNeed() {
        assertThat(over(using(1), using(1), using(0.05), using(0.05))).isEqualTo("1100");
        assertThat(over(using(0.9), using(0.9), using(0.05), using(0.05))).isEqualTo("0000");
        assertThat(crew.reserved).isEqualTo(-1);
    }

    /** The steps of a world may differ: what counts is the average, from which only a single long slice is left out. */
    @Test
    void shouldMeasureUnevenStepsByTheirAverage() {
        for (int every = 2; every <= 16; every *= 2) {
            Seat uneven = Hosts.seat(crew, 1);
            for (int slice = 0; slice < 400; slice++) {
                uneven.sliceEnded(0, 0, slice % every == 0 ? (long) (1.5 * every * Hosts.PERIOD_NANOS) : 0, 0);
            }
            assertThat(uneven.utilisation()).as("one of %d", every).isCloseTo(1.5, within(0.4));
            assertThat(over(uneven, using(0.6), using(0.6))).isEqualTo("100");
            assertThat(uneven.isRogue()).isTrue();
        }
        Seat even = using(0.1);
        even.sliceEnded(0, 0, 100 * Hosts.PERIOD_NANOS, 0);
        assertThat(even.utilisation()).as("after a garbage collection").isCloseTo(0.1, within(0.001));
    }

    /** A host reserves no thread if all worlds are over their budgets, because they would then have one thread less. */
    @Test
    void shouldReserveNoThreadIfAllAreOver() {
        Seat[] alike = Collections.nCopies(20, 0.2).stream().map(this::using).toArray(Seat[]::new);
        assertThat(over(alike)).isEqualTo("1".repeat(20));
        assertThat(crew.reserved).isEqualTo(-1);
    }

    @Test
    void shouldGiveMoreToWhatWeighsMore() {
        Seat heavy = Hosts.using(crew, 4, 0.8);
        Seat light = Hosts.using(crew, 1, 0.8);
        Seat other = Hosts.using(crew, 1, 0.8);
        assertThat(over(heavy, light, other)).isEqualTo("011");
        Seat[] heavies = {Hosts.using(crew, 4, 0.85), Hosts.using(crew, 4, 0.85)};
        assertThat(over(heavies[0], heavies[1], using(0.5)))
                .as("two ninths of a core are for each weight of 1")
                .isEqualTo("001");
    }

    /** A late world's deadline counts from now. Else a world that skips no ticks and falls behind more and more would always be first. */
    @Test
    void shouldCountTheDeadlineOfALateWorldFromNow() {
        Seat seat = using(0.1);
        long period = Hosts.PERIOD_NANOS;
        assertThat(seat.deadlineNanos(5 * period, 5 * period)).isEqualTo(6 * period);
        assertThat(seat.deadlineNanos(5 * period, 6 * period)).as("late").isEqualTo(6 * period);
        assertThat(seat.deadlineNanos(5 * period, 60 * period)).as("far behind").isEqualTo(61 * period);
    }

    @Test
    void shouldPutARogueBehindOthersOnOneThread() {
        Crew one = Hosts.crew(1);
        Seat rogue = Hosts.using(one, 1, 3);
        Seat other = Hosts.using(one, 1, 0.1);
        new HostWatch(one).share(new Seat[] {rogue, other});
        assertThat(rogue.isRogue()).isTrue();
        assertThat(other.isOver()).isFalse();
        assertThat(one.reserved).isEqualTo(-1);
    }

    /**
     * Many small worlds over their budgets are no rogues. Together they need three threads, but their slices of 0.3 ms delay no other
     * world.
     */
    @Test
    void shouldTakeNoSmallWorldForARogue() {
        List<Seat> seats = new ArrayList<>(
                Collections.nCopies(100, 0.03).stream().map(this::using).toList());
        assertThat(over(seats.toArray(Seat[]::new))).isEqualTo("1".repeat(100));
        assertThat(seats).hasSize(100).noneMatch(Seat::isRogue);
        assertThat(crew.reserved).isEqualTo(-1);
        seats.add(using(3));
        over(seats.toArray(Seat[]::new));
        assertThat(seats).filteredOn(Seat::isRogue).containsExactly(seats.get(100));
        assertThat(crew.reserved).isEqualTo(1);
    }

    /** Two worlds on two threads need four and eight cores. They get equal parts, so one ticks half as often as the other. */
    @Test
    void shouldGiveTheSamePartToAllOverTheirBudgets() {
        Seat four = using(4);
        Seat eight = using(8);
        over(four, eight);
        assertThat(four.deadlineNanos(0, 0) - Crew.ROGUE_NANOS).isCloseTo(4 * Hosts.PERIOD_NANOS, within(1000L));
        assertThat(eight.deadlineNanos(0, 0) - Crew.ROGUE_NANOS).isCloseTo(8 * Hosts.PERIOD_NANOS, within(1000L));
    }

    @Test
    void shouldReserveNoThreadOfARogueThatStays() {
        Seat onFirst = Hosts.boundRogue(crew);
        Seat onSecond = Hosts.boundRogue(crew);
        onFirst.start();
        onSecond.start();
        assertThat(over(onSecond, using(0.1))).isEqualTo("10");
        assertThat(crew.reserved).isZero();
        assertThat(over(onFirst, onSecond, using(0.1))).isEqualTo("110");
        assertThat(crew.reserved).isEqualTo(-1);
    }

    @Test
    void shouldMakeATableInUnitsThatItsTitlesName() {
        WorldLoad heavy = new WorldLoad("heavy", 1.25, -2_500_000, 7, true);
        assertThat(WorldLoad.table(List.of(heavy)))
                .hasToString("{heavy={% of a core=125.0, slack (ms)=-2.5, missed deadlines=7, over budget=1}}");
    }
}
