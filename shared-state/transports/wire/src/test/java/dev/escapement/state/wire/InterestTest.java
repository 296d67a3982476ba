package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which bodies one client gets over a lossy network. {@link RemoteRig} measures errors and steps of their poses. */
class InterestTest {

    private static final int BODIES = 600;
    private static final InterestSettings WIDE = new InterestSettings(30, 300, 400_000);

    /** The ticks of half a second, and those until the next send, for which a body without importance may be shown. */
    private static final long LINGER_TICKS = 50 + 4;

    private final InterestRegion near = new InterestRegion(35);

    // Ids in the last unpredicted picture: of the shown bodies, of all in the world, and of the needed ones.
    private final Set<Long> shown = new TreeSet<>();
    private final Set<Long> ofWorld = new TreeSet<>();
    private final Set<Long> needed = new TreeSet<>();
    private final Map<Long, Long> neededTick = new HashMap<>();
    private double farthest;
    private int pictures;
    private int strangers;
    private int outside;
    private int inside;
    private int missing;

    private RemoteRig rig(double moving, @Nullable Interest interest, InterestSettings settings) {
        RemoteRig rig = RemoteRig.of(BODIES, moving, interest, settings);
        rig.loss = 0.05;
        rig.watcher = (picture, truth) -> {
            look(picture, truth, interest == null ? (body, kind, x, y, z) -> 1 : interest);
            if (!picture.isPredicted()) {
                countBodies(picture.tick());
            }
        };
        return rig;
    }

    private void look(Snapshot picture, Snapshot truth, Interest interest) {
        shown.clear();
        ofWorld.clear();
        needed.clear();
        farthest = 0;
        for (int slot = 0; slot < truth.poses().slotCount(); slot++) {
            if (picture.bodies().exists(slot)) {
                shown.add(picture.bodies().id(slot));
            }
            if (truth.bodies().exists(slot)) {
                long id = truth.bodies().id(slot);
                PoseBlock at = truth.poses().blockOf(slot);
                int i = slot & PoseBlock.MASK;
                double x = truth.originX() + at.px[i];
                double z = truth.originZ() + at.pz[i];
                ofWorld.add(id);
                if (interest.importance(id, truth.bodies().userData(slot), x, at.py[i], z) > 0) {
                    needed.add(id);
                    neededTick.put(id, picture.tick());
                }
                farthest = shown.contains(id) ? Math.max(farthest, Math.hypot(x, Math.hypot(at.py[i], z))) : farthest;
            }
        }
    }

    private void countBodies(long tick) {
        pictures++;
        inside += needed.size();
        missing += count(needed, shown);
        strangers += count(shown, ofWorld);
        neededTick.values().removeIf(last -> tick - last > LINGER_TICKS);
        outside += count(shown, neededTick.keySet());
    }

    private static int count(Set<Long> ids, Set<Long> others) {
        return (int) ids.stream().filter(id -> !others.contains(id)).count();
    }

    private void forget() {
        pictures = 0;
        outside = 0;
        inside = 0;
        missing = 0;
    }

    /** The sender examines a third of the bodies outside the interest with each send, so entering bodies may be missing for three sends. */
    @Test
    void shouldSendAllBodiesInsideAndNoOthers() {
        RemoteRig rig = rig(0.5, near, WIDE);
        rig.world.jumps = false;
        rig.run(1_000);
        forget();
        rig.run(10_000);
        assertThat(pictures).isGreaterThan(100);
        assertThat(outside).isZero();
        assertThat(inside / pictures).isBetween(30, 150);
        assertThat(missing).isLessThan(inside / 30);
        assertThat(strangers).isZero();
        assertThat(rig.ticksBehind()).isLessThanOrEqualTo(13);
        assertThat(rig.largestTrueError).isBetween(0.0, RemoteRig.BOUND);
        assertThat(rig.largestStep).isLessThan(0.3);
    }

    /** A body at the edge of an interest is needed and not needed in turn. */
    @Test
    void shouldKeepABodyThatIsNeededAgainWithinHalfASecond() {
        boolean[] isNeeded = {true};
        RemoteRig rig = rig(0.5, (body, kind, x, y, z) -> body == BodyId.of(7, 1) && isNeeded[0] ? 1 : 0, WIDE);
        rig.run(1_000);
        Set<Integer> counts = new TreeSet<>();
        rig.watcher = (picture, truth) -> counts.add(picture.bodies().count());
        for (int half = 0; half < 24; half++) {
            isNeeded[0] = half % 2 != 0;
            rig.run(490);
        }
        assertThat(counts).as("bodies in the pictures of 12 seconds").containsExactly(1);
        isNeeded[0] = false;
        rig.run(800);
        assertThat(rig.shownBodies)
                .as("after half a second, and the way to the client")
                .isZero();
    }

    /** The receiver shows no body in another's place, even if an outage lost the packets that report the slot's new body. */
    @Test
    void shouldNotConfuseBodiesOfOneSlot() {
        RemoteRig rig = rig(0.2, near, WIDE);
        rig.loss = 0.3;
        rig.run(5_000);
        rig.cut = true;
        near.moveTo(50, 0, 0);
        rig.run(1_500);
        rig.cut = false;
        near.moveTo(-30, 0, 0);
        rig.run(1_000);
        forget();
        rig.run(4_000);
        assertThat(pictures).isPositive();
        assertThat(outside).isZero();
        assertThat(strangers).isZero();
        assertThat(rig.largestTrueError).isBetween(0.0, RemoteRig.BOUND);
    }

    @Test
    void shouldKeepTheCapAndDropTheLeastImportant() {
        InterestRegion wide = new InterestRegion(200);
        int cap = 8_000;
        RemoteRig rig = rig(1, wide, new InterestSettings(30, 300, cap));
        rig.world.jumps = false;
        rig.run(3_000);
        long all = rig.bytes;
        for (int second = 0; second < 10; second++) {
            long before = rig.bytes;
            rig.run(1_000);
            assertThat(rig.bytes - before).isLessThan(cap + cap / 4);
        }
        assertThat(rig.bytes - all).isBetween(9L * cap, 10L * cap + cap / 4);
        assertThat(rig.ticksBehind()).isLessThanOrEqualTo(13);
        assertThat(shown).hasSizeBetween(20, 150);
        assertThat(farthest).as("of 600 bodies within 80 m").isLessThan(57);
    }

    @Test
    void shouldTakeTheGamesOwnOrder() {
        Interest byKind = (body, kind, x, y, z) -> kind < 0 ? Double.NaN : kind % 2 == 0 ? 5 : 1;
        Set<Long> odd = new TreeSet<>();
        RemoteRig rig = rig(0.5, byKind, new InterestSettings(30, 60, 400_000));
        rig.run(1_000);
        rig.watcher = (picture, truth) -> {
            for (int slot = 0; slot < picture.poses().slotCount(); slot++) {
                long kind = picture.bodies().exists(slot) ? picture.bodies().userData(slot) : 0;
                if (kind < 0 || kind % 2 != 0) {
                    odd.add(kind);
                }
            }
        };
        rig.run(100);
        assertThat(rig.shownBodies).isEqualTo(60);
        assertThat(odd).isEmpty();
    }

    /** The receiver waits until the next sent tick has arrived, so poses between two sent ticks are interpolated, and no error fades. */
    @Test
    void shouldWaitForTheNextTickThatIsSent() {
        RemoteRig rig = rig(0.5, (body, kind, x, y, z) -> kind % 5 == 0 ? 1 : 0, WIDE);
        rig.loss = 0;
        rig.jitterNanos = 0;
        rig.world.jumps = false;
        rig.run(3_000);
        rig.ticks = 0;
        rig.predictedTicks = 0;
        rig.run(3_000);
        assertThat(rig.ticks).isGreaterThan(290);
        assertThat(rig.predictedTicks).as("three of ten are sent").isLessThan(245);
    }

    @ParameterizedTest
    @CsvSource({"1000", "1010", "1020"}) // at one of these times the world stops between two ticks that are sent
    void shouldShowTheTickAtWhichTheWorldStands(int millis) {
        RemoteRig rig = rig(0.5, near, WIDE);
        rig.run(millis);
        rig.worldStands = true;
        rig.run(1_500);
        assertThat(rig.isPredicted).isFalse();
        assertThat(rig.ticksBehind()).isLessThanOrEqualTo(0);
        assertThat(rig.shownBodies).isPositive();
    }

    /** Even a late client gets parents, centres of mass and reshapes. A body has no parent there if the parent is outside the interest. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSendParentsCentresOfMassAndReshapes(boolean hasInterest) {
        RemoteRig rig = RemoteRig.of(BODIES, 0.5, hasInterest ? near : null, WIDE);
        rig.world.rides = true;
        rig.world.isLoaded = true;
        rig.cut = true;
        rig.run(2_000);
        rig.cut = false;
        rig.loss = 0.05;
        int[] counts = new int[5];
        rig.watcher = (picture, truth) -> {
            for (int slot = 0; !picture.isPredicted() && slot < picture.poses().slotCount(); slot++) {
                if (picture.bodies().exists(slot)) {
                    BodyBlock is = picture.bodyBlock(0);
                    BodyBlock was = truth.bodyBlock(0);
                    long parent = was.parent(slot);
                    boolean isThere = truth.bodies().exists(parent);
                    boolean isShown = isThere && picture.bodies().exists(parent);
                    if (!isShown || is.sinceTick[BodyId.slot(parent)] < picture.tick()) {
                        assertThat(is.parent(slot)).isEqualTo(isShown ? parent : 0);
                    }
                    counts[isShown ? 1 : isThere ? 2 : 0]++;
                    for (int axis = 0; axis < WireTick.CENTRE; axis++) {
                        assertThat(is.centreOfMass(slot, axis)).isEqualTo(was.centreOfMass(slot, axis));
                    }
                    counts[3] += was.isOffCentre(slot) ? 1 : 0;
                    long reshaped = was.reshapedTick(slot) == 0
                            ? Snapshot.NEVER_WRITTEN
                            : was.reshapedTick(slot) + picture.tick() - truth.tick();
                    boolean isSeen = reshaped > is.sinceTick[slot];
                    assertThat(is.reshapedTick(slot)).isGreaterThanOrEqualTo(isSeen ? reshaped : 0);
                    counts[4] += isSeen ? 1 : 0;
                }
            }
        };
        for (int step = 0; step < 20; step++) {
            near.moveTo(5 * step - 50, 0, 0);
            rig.run(50);
        }
        assertThat(counts[0]).as("who rides on none").isPositive();
        assertThat(counts[1]).as("who rides").isPositive();
        assertThat(counts[2] > 0).as("whose parent is out of sight").isEqualTo(hasInterest);
        assertThat(counts[3]).as("whose centre of mass is not the position").isPositive();
        assertThat(counts[4]).as("who are reshaped").isPositive();
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
