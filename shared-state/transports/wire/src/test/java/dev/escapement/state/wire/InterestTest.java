package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.state.snapshot.BodyId;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one client gets of a world, over a network that loses packets. */
class InterestTest {

    private static final long STATED_NANOS = 100 * InterestRig.MILLI;

    /** Rounding of the format. */
    private static final double AT_PLACE = 0.002;

    private static final int BODIES = 600;
    private static final InterestSettings WIDE = new InterestSettings(30, 300, 400_000);
    private final InterestRegion near = new InterestRegion(50.3);

    private InterestRig rig(@Nullable Interest interest, InterestSettings settings) {
        InterestRig rig = new InterestRig(1, BODIES, interest, settings);
        rig.down.lost = 0.05;
        rig.up.lost = 0.05;
        return rig;
    }

    @Test
    void shouldTellAllThatIsInsideInTimeAndNothingElse() {
        near.moveTo(300, 0, 0);
        InterestRig rig = rig(near, WIDE);
        rig.run(500);
        rig.greatestAgeNanos = 0;
        rig.run(10_000);
        assertThat(rig.shown.values()).allMatch(place -> place >= 250 && place <= 350);
        assertThat(rig.shown).hasSizeGreaterThan(96); // those at the edge may jump over it
        assertThat(rig.everShown).hasSizeLessThanOrEqualTo(101);
        assertThat(rig.greatestAgeNanos).isBetween(1L, STATED_NANOS);
        assertThat(rig.farthestAside).isLessThan(AT_PLACE);
        assertThat(rig.refused()).isZero();
    }

    /** A region that goes to and fro: bodies come, leave, and come back. */
    @Test
    void shouldLetBodiesAppearAndVanishWhereTheyAre() {
        InterestRig rig = rig(near, WIDE);
        rig.allAlike = true;
        rig.down.jitterNanos = 15 * InterestRig.MILLI;
        for (int step = 0; step < 400; step++) {
            near.moveTo(100 + (step < 200 ? step : 400 - step), 0, 0); // 40 m/s
            rig.run(25);
            if (step > 40) {
                double now = 100 + (step < 200 ? step : 400 - step);
                assertThat(rig.shown.values()).allMatch(place -> Math.abs(place - now) < 50 + 40 * 0.4);
            }
        }
        rig.run(1_000);
        assertThat(rig.farthestAside).isLessThan(AT_PLACE);
        assertThat(rig.everShown).hasSizeBetween(290, 303);
        assertThat(rig.appeared).as("twice").isGreaterThan(450);
        assertThat(rig.shown).hasSizeGreaterThan(96);
        rig.shown.forEach(
                (id, place) -> assertThat(id).as("the id of the server").isEqualTo(rig.id(place)));
    }

    /** Also while packets that tell of it are lost. */
    @Test
    void shouldTakeNoBodyForTheOneThatHadItsSlot() {
        near.moveTo(300, 0, 0);
        InterestRig rig = rig(near, WIDE);
        rig.down.lost = 0.3;
        rig.run(1_000);
        for (int i = 0; i < 60; i++) {
            rig.replace(260 + i % 40, 340 - i % 40);
            rig.run(i % 3 == 0 ? 50 : 200);
        }
        rig.run(1_000);
        assertThat(rig.farthestAside).isLessThan(AT_PLACE);
        rig.shown.forEach((id, place) -> assertThat(id).isEqualTo(rig.id(place)));
        assertThat(rig.appeared).isGreaterThan(200);
    }

    /** After an outage of so long that nothing of it was told. */
    @Test
    void shouldShowOtherBodiesAfterAnOutage() {
        near.moveTo(100, 0, 0);
        InterestRig rig = rig(near, WIDE);
        rig.run(1_000);
        rig.down.cutFor(1_500 * InterestRig.MILLI);
        near.moveTo(500, 0, 0);
        rig.run(1_200);
        near.moveTo(130, 0, 0);
        rig.run(2_000);
        assertThat(rig.farthestAside).isLessThan(AT_PLACE);
        assertThat(rig.shown.values())
                .allMatch(place -> place >= 80 && place <= 180)
                .hasSizeGreaterThan(96);
    }

    @Test
    void shouldKeepTheCapAndLetWhatMattersLeastLeaveFirst() {
        InterestRegion wide = new InterestRegion(200);
        wide.moveTo(300, 0, 0);
        int cap = 8_000;
        InterestRig rig = rig(wide, new InterestSettings(30, 300, cap));
        rig.run(3_000);
        rig.greatestAgeNanos = 0;
        long all = rig.bytes;
        for (int second = 0; second < 10; second++) {
            long before = rig.bytes;
            rig.run(1_000);
            assertThat(rig.bytes - before).isLessThan(cap + cap / 4);
        }
        assertThat(rig.bytes - all).isBetween(9L * cap, 10L * cap + cap / 4);
        assertThat(rig.greatestAgeNanos).isBetween(1L, STATED_NANOS);
        Set<Integer> shown = new TreeSet<>(rig.shown.values());
        assertThat(shown).hasSizeBetween(50, 150).hasSizeLessThan(Collections.max(shown) - Collections.min(shown) + 10);
        assertThat(shown).allMatch(place -> Math.abs(place - 300) < 0.65 * shown.size());
    }

    @Test
    void shouldTakeTheGamesOwnOrder() {
        Interest byKind = (body, kind, x, y, z) -> kind % 10 == 0 ? 5 : kind == 7 ? Double.NaN : 1;
        InterestRig rig = rig(byKind, new InterestSettings(30, 60, 400_000));
        rig.run(1_000);
        assertThat(rig.shown.values()).allMatch(place -> place % 10 == 0).hasSize(60);
    }

    /** A picture is so old that the next tick that is sent is there: what lies between two of them is on the way, and no error fades. */
    @Test
    void shouldWaitForTheNextTickThatIsSent() {
        near.moveTo(300, 0, 0);
        InterestRig rig = new InterestRig(1, BODIES, near, WIDE);
        rig.run(1_000);
        rig.shownTicks = 0;
        rig.predictedTicks = 0;
        rig.run(3_000);
        assertThat(rig.shownTicks).isGreaterThan(170);
        assertThat(rig.predictedTicks).isLessThan(100); // every other tick is sent
    }

    @Test
    void shouldShowTheTickAtWhichTheWorldStands() {
        near.moveTo(300, 0, 0);
        InterestRig rig = rig(near, WIDE);
        for (int i = 0; i < 3; i++) { // one of them is between two that would be sent
            rig.run(100 + 17 * i);
        }
        rig.pause();
        rig.run(500);
        assertThat(rig.decoder.isWhole(rig.worldTick)).isTrue();
    }

    @Test
    void shouldSendTheWholeWorldToAClientWithoutAnInterest() {
        InterestRig rig = rig(null, WIDE);
        rig.run(500);
        assertThat(rig.shown).hasSize(BODIES);
    }

    /** Also a million ids, those of bodies that are gone among them. */
    @Test
    void shouldAddInterests() {
        Set<Long> party = ConcurrentHashMap.newKeySet();
        LongStream.range(0, 1_000_000).forEach(slot -> party.add(BodyId.of((int) slot, 3)));
        Interest others = (body, place, x, y, z) -> place == 400 || party.contains(body) ? 1 : 0;
        InterestRig rig = rig(near.or(others), WIDE);
        rig.run(500);
        assertThat(rig.shown.values()).contains(0, 400).doesNotContain(500);
        party.add(rig.id(500));
        rig.run(500);
        assertThat(rig.shown.values()).contains(500);
        party.remove(rig.id(500));
        rig.run(500);
        assertThat(rig.shown.values()).contains(0, 400).doesNotContain(500);
    }

    @ParameterizedTest
    @CsvSource({"NaN", "Infinity", "0", "-1"})
    void shouldRefuseARadius(double radius) {
        assertThatThrownBy(() -> new InterestRegion(radius)).hasMessageContaining("finite radius of more than 0 m");
    }

    @ParameterizedTest
    @CsvSource({"NaN, 0, 0", "0, Infinity, 0", "0, 0, -Infinity"})
    void shouldRefuseAPlaceAndStayWhereItWas(double x, double y, double z) {
        near.moveTo(5, 0, 0);
        assertThatThrownBy(() -> near.moveTo(x, y, z)).hasMessageContaining("not all are finite");
        assertThat(near.importance(1, 0, 5, 0, 0)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 300, 40000, sends",
        "1001, 300, 40000, sends",
        "30, 0, 40000, bodies",
        "30, 16385, 40000, bodies",
        "30, 300, 0, bytes",
        "30, 300, 3999, bytes",
        "30, 300, 40000001, bytes"
    })
    void shouldRefuseSettings(int sends, int bodies, int bytes, String what) {
        assertThatThrownBy(() -> new InterestSettings(sends, bodies, bytes)).hasMessageContaining(what);
    }
}
