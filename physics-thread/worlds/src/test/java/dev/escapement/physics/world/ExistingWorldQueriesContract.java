package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.query.QueryFilter;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWorld;
import dev.escapement.physics.world.QueriedGame.Hit;
import dev.escapement.physics.world.QueriedGame.Kind;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.History;
import dev.escapement.state.Slice;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.world.BodyShape.Box;
import dev.escapement.state.world.BodyShape.Form;
import dev.escapement.state.world.BodyShape.Sphere;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every {@code WorldSimulation} whose engine can be asked at a moment that a reader chooses. */
public abstract class ExistingWorldQueriesContract<W, B> extends ExistingWorldFixture<W, B> {

    private static final int PAST_TICKS = 50;
    private static final int SEEDS = 64;
    private static final int ROUNDS = 40;
    private static final int QUERIES = 400;
    private static final int PART = 1 << 20;
    private static final double GRAZE_METRES = 1e-3;
    private static final List<Kind> KINDS = List.of(Kind.BOX, Kind.BALL, Kind.HULL, Kind.COMPOUND, Kind.MESH);

    private final History history = new History(PAST_TICKS + 1, 1 << 26);
    private final List<QueryWorld> open = new ArrayList<>();
    private final QueryHits hits = new QueryHits();

    /** A body of the random scene: its number is the body's user data. */
    private final class Actor {

        @Nullable
        B body;

        /** Its shape, from each tick in which it changed. */
        final TreeMap<Long, Kind> kinds = new TreeMap<>();
    }

    /** How far an answer of the engine may be from that of the same engine in a stopped world, metres. */
    protected double sweepTolerance() {
        return 2 * GRAZE_METRES;
    }

    private QueriedGame<W, B> queried() {
        return (QueriedGame<W, B>) game;
    }

    private QueryWorld queries(int pastTicks) {
        QueryWorld made = simulation.queryWorld(pastTicks);
        open.add(made);
        return made;
    }

    @AfterEach
    void closeQueries() {
        open.forEach(QueryWorld::close);
    }

    private void ticks(int count) {
        clock.advance(count * TICK_NANOS);
        while (driver.runDueTicks(1) > 0) {
            if (reader.acquire()) {
                history.add(reader.window());
            }
        }
    }

    private ShownWorld now() {
        return history.at(history.newestTick(), 0);
    }

    /** Casts a ray straight down from 20 m, over the floor at 0. Returns its length; infinite if it hit nothing. */
    private double down(QueryWorld queries, double x) {
        return queries.ray(x, 20, 0, 0, -20.5, 0, QueryFilter.ALL, hits) ? hits.fraction(0) * 20.5 : 1.0 / 0;
    }

    static LongStream seeds() {
        return Slice.current().seeds(SEEDS, ExistingWorldQueriesContract.class);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldAnswerAsTheStoppedEngineDoes(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<Actor> actors = new ArrayList<>();
        game.addFixed(-6, 2, 0, 0, 1, 2);
        QueryWorld past = queries(PAST_TICKS);
        QueryWorld shown = queries(0);
        int crowd = seed % 16 == 0 ? 900 : random.nextInt(3, 60);
        try (FrameView view = FrameView.inline(driver.newReader())) {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = actors.size(); round == 0 && i < crowd; i++) {
                    spawn(random, actors);
                }
                ticks(round == 0 ? 3 : random.nextInt(1, 4));
                change(random, actors);
                ticks(1);
                if (random.nextInt(4) == 0) {
                    long tick = Math.max(history.oldestTick(), history.newestTick() - random.nextInt(20));
                    float alpha = tick == history.newestTick() ? 0 : random.nextInt(8) / 8f;
                    ask(random, past, history.at(tick, alpha), actors);
                } else {
                    clock.advance(random.nextLong(TICK_NANOS));
                    if (view.advance(clock.nanoTime())) {
                        ask(random, random.nextBoolean() ? past : shown, view, actors);
                    }
                }
            }
        }
    }

    private double[] pose(SplittableRandom random, double span) {
        double angle = random.nextDouble(6.28) / 2;
        double[] axis = {random.nextDouble() - 0.5, random.nextDouble() - 0.5, random.nextDouble() - 0.5};
        if (queried().isFlat()) {
            axis = new double[] {0, 0, 1};
        }
        double scale = Math.sin(angle) / Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        return new double[] {
            span * (2 * random.nextDouble() - 1),
            span * random.nextDouble(),
            queried().isFlat() ? 0 : span * (2 * random.nextDouble() - 1),
            scale * axis[0],
            scale * axis[1],
            scale * axis[2],
            Math.cos(angle)
        };
    }

    private void spawn(SplittableRandom random, List<Actor> actors) {
        Actor actor = new Actor();
        Kind kind = KINDS.get(random.nextInt(KINDS.size()));
        actor.body = queried().addForm(kind, pose(random, 12));
        actor.kinds.put(Long.MIN_VALUE, kind);
        simulation.attach(actor.body, actors.size());
        actors.add(actor);
    }

    /** Lets bodies come, go, teleport, turn, change their shape and stand still. */
    private void change(SplittableRandom random, List<Actor> actors) {
        for (int i = random.nextInt(4); i > 0; i--) {
            Actor actor = actors.get(random.nextInt(actors.size()));
            B body = actor.body;
            if (body == null) {
                spawn(random, actors);
                continue;
            }
            switch (random.nextInt(7)) {
                case 0 -> spawn(random, actors);
                case 1 -> {
                    removeDetached(body);
                    actor.body = null;
                }
                case 2 -> {
                    game.place(body, 20 * random.nextDouble() - 10, 10 * random.nextDouble());
                    simulation.teleported(body);
                }
                case 3 -> {
                    Kind kind = KINDS.get(random.nextInt(4));
                    if (actor.kinds.lastEntry().getValue() != Kind.MESH
                            && queried().reform(body, kind)) {
                        simulation.reshaped(body);
                        actor.kinds.put(newest().tick() + 1, kind);
                    }
                }
                case 4 ->
                    simulation.attachPart(
                            (slot, poses) -> poses.setInWorld(slot, 0, 3, 0, 0, 0, 0, 1), PART + actors.size());
                case 5 -> game.turn(body, random.nextDouble(6));
                default -> {
                    driver.pause();
                    ticks(1);
                    driver.resume();
                }
            }
        }
    }

    private void ask(SplittableRandom random, QueryWorld queries, ShownWorld moment, List<Actor> actors)
            throws Exception {
        queries.at(moment);
        try (QueriedGame<W, B> truth = (QueriedGame<W, B>) createGame()) {
            truth.addFixed(-6, 2, 0, 0, 1, 2);
            Map<Object, Long> numbers = new HashMap<>();
            Snapshot shown = moment.shown();
            for (int slot = 0; slot < moment.poses().slotCount(); slot++) {
                BodyBlock bodies = shown.bodyBlock(slot >> PoseBlock.SHIFT);
                int at = slot & PoseBlock.MASK;
                if (BodyId.isLive(bodies.generation[at]) && bodies.userData[at] < PART) {
                    PoseBlock poses = moment.poses().blockOf(slot);
                    Actor actor = actors.get((int) bodies.userData[at]);
                    double[] pose = {
                        shown.originX() + poses.px[at],
                        shown.originY() + poses.py[at],
                        shown.originZ() + poses.pz[at],
                        poses.qx[at],
                        poses.qy[at],
                        poses.qz[at],
                        poses.qw[at]
                    };
                    Kind kind = actor.kinds.floorEntry(shown.tick()).getValue();
                    numbers.put(truth.addForm(kind, pose), bodies.userData[at]);
                }
            }
            for (int i = 0; i < QUERIES; i++) {
                double[] pose = pose(random, 14);
                double[] end = pose(random, 14);
                double[] way = {end[0] - pose[0], end[1] - pose[1], end[2] - pose[2]};
                switch (i % 4) {
                    case 0 -> askForm(queries, truth, numbers, pose);
                    case 1 -> askSweep(queries, truth, numbers, pose, way);
                    default -> askRay(queries, truth, numbers, pose, way);
                }
            }
        }
    }

    private static long number(Map<Object, Long> numbers, @Nullable Object body) {
        return body == null ? -2 : numbers.getOrDefault(body, -1L);
    }

    private long hitNumber(boolean isHit) {
        return !isHit ? -2 : hits.bodyId(0) == 0 ? -1 : hits.userData(0);
    }

    private void askRay(
            QueryWorld queries, QueriedGame<W, B> truth, Map<Object, Long> numbers, double[] from, double[] way) {
        double length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        boolean isHit = queries.ray(from[0], from[1], from[2], way[0], way[1], way[2], QueryFilter.ALL, hits);
        long number = hitNumber(isHit);
        double fraction = isHit ? hits.fraction(0) : Double.POSITIVE_INFINITY;
        boolean isSame = false;
        for (int lateral = 0; lateral < 7 && !isSame; lateral++) { // after the first, a graze
            double[] moved = from.clone();
            if (lateral > 0) {
                moved[(lateral - 1) / 2] += lateral % 2 == 0 ? GRAZE_METRES : -GRAZE_METRES;
            }
            Hit hit = truth.cast(moved, way);
            // A ray may begin in several bodies, which are all the nearest.
            isSame = (number == number(numbers, hit.body()) || (fraction == 0 && hit.fraction() == 0))
                    && (!isHit || Math.abs(hit.fraction() - fraction) * length < (lateral + 1) * GRAZE_METRES);
        }
        assertThat(isSame)
                .as(
                        "ray from %s along %s hit %d at %s, but the engine %s",
                        List.of(from[0], from[1], from[2]),
                        List.of(way[0], way[1], way[2]),
                        number,
                        fraction,
                        truth.cast(from, way))
                .isTrue();
        if (isHit) {
            for (int axis = 0; axis < 3; axis++) {
                assertThat(hits.point(0, axis)).isCloseTo(from[axis] + fraction * way[axis], within(GRAZE_METRES));
            }
            double normal = hits.normal(0, 0) * hits.normal(0, 0)
                    + hits.normal(0, 1) * hits.normal(0, 1)
                    + hits.normal(0, 2) * hits.normal(0, 2);
            assertThat(normal).isCloseTo(normal == 0 ? 0 : 1, within(1e-3));
            int all = queries.rayAll(from[0], from[1], from[2], way[0], way[1], way[2], QueryFilter.ALL, hits);
            assertThat(all).isPositive();
            assertThat(hits.fraction(0)).isCloseTo((float) fraction, within((float) (GRAZE_METRES / length)));
            assertThat(hits.fraction(all - 1)).isGreaterThanOrEqualTo(hits.fraction(0));
        }
    }

    private static Form form(double more) {
        return new Box((float) (0.7 + more), (float) (0.4 + more), (float) (0.5 + more));
    }

    private void askForm(QueryWorld queries, QueriedGame<W, B> truth, Map<Object, Long> numbers, double[] pose) {
        Set<Long> found = new HashSet<>();
        double[] p = pose;
        float[] q = {(float) p[3], (float) p[4], (float) p[5], (float) p[6]};
        int count = queries.overlap(form(0), p[0], p[1], p[2], q[0], q[1], q[2], q[3], QueryFilter.ALL, hits);
        for (int i = 0; i < count; i++) {
            found.add(hits.bodyId(i) == 0 ? -1 : hits.userData(i));
        }
        Set<Long> same = overlapping(truth, numbers, form(0), pose);
        if (!found.equals(same)) { // a graze
            assertThat(found)
                    .as("overlaps at %s", List.of(pose[0], pose[1], pose[2]))
                    .containsAll(overlapping(truth, numbers, form(-GRAZE_METRES), pose));
            assertThat(overlapping(truth, numbers, form(GRAZE_METRES), pose))
                    .as("overlaps at %s", List.of(pose[0], pose[1], pose[2]))
                    .containsAll(found);
        }
    }

    private Set<Long> overlapping(QueriedGame<W, B> truth, Map<Object, Long> numbers, Form form, double[] pose) {
        Set<Long> found = new HashSet<>();
        truth.overlapping(form, pose).forEach(body -> found.add(number(numbers, body)));
        return found;
    }

    private void askSweep(
            QueryWorld queries, QueriedGame<W, B> truth, Map<Object, Long> numbers, double[] pose, double[] way) {
        Hit middle = truth.sweep(form(0), pose, way);
        if (middle == null) {
            return;
        }
        double length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        double[] p = pose;
        float[] q = {(float) p[3], (float) p[4], (float) p[5], (float) p[6]};
        boolean isHit = queries.sweep(
                form(0), p[0], p[1], p[2], q[0], q[1], q[2], q[3], way[0], way[1], way[2], QueryFilter.ALL, hits);
        double fraction = isHit ? hits.fraction(0) : Double.POSITIVE_INFINITY;
        if (number(numbers, middle.body()) == hitNumber(isHit)
                && (!isHit || Math.abs(middle.fraction() - fraction) * length < sweepTolerance())) {
            return;
        }
        Hit earliest = Objects.requireNonNull(truth.sweep(form(GRAZE_METRES), pose, way));
        Hit latest = Objects.requireNonNull(truth.sweep(form(-GRAZE_METRES), pose, way));
        double tolerance = sweepTolerance() / length;
        assertThat(fraction)
                .as(
                        "sweep from %s along %s: %s, %s and %s",
                        List.of(pose[0], pose[1], pose[2]), List.of(way[0], way[1], way[2]), earliest, middle, latest)
                .isBetween(earliest.fraction() - tolerance, latest.fraction() + tolerance);
    }

    @Test
    void shouldHitBodiesOnlyWhileTheyExisted() {
        QueryWorld queries = queries(PAST_TICKS);
        ticks(3);
        B box = attach(game.addBox(0, 5), 7);
        ticks(1);
        long first = history.newestTick();
        long id = simulation.idOf(box);
        removeDetached(box);
        ticks(1);
        long gone = history.newestTick();
        B next = attach(game.addBox(0, 8), 8);
        ticks(3);
        queries.at(history.at(first - 1, 0.99f));
        assertThat(down(queries, 0)).as("not yet").isCloseTo(20, within(0.02));
        queries.at(history.at(first, 0));
        assertThat(down(queries, 0)).isCloseTo(14.5, within(0.1));
        assertThat(hits.bodyId(0)).isEqualTo(id);
        assertThat(hits.userData(0)).isEqualTo(7);
        assertThat(hits.normal(0, 1)).isCloseTo(1, within(0.01f));
        queries.at(history.at(gone, 0));
        assertThat(down(queries, 0)).as("no more").isCloseTo(20, within(0.02));
        assertThat(hits.bodyId(0)).as("not attached").isZero();
        queries.at(now());
        assertThat(down(queries, 0)).isCloseTo(11.5, within(0.1));
        assertThat(hits.bodyId(0)).isEqualTo(simulation.idOf(next));
        queries.at(history.at(first, 0)); // back to an earlier moment
        assertThat(hits.bodyId(0)).isEqualTo(simulation.idOf(next)); // answers stay
        assertThat(down(queries, 0)).isCloseTo(14.5, within(0.1));
        assertThat(hits.bodyId(0)).isEqualTo(id);
    }

    @Test
    void shouldHitLaterStaticBodiesOnlyWhileAttached() {
        B wall = game.addFixed(0, 5, 0, 0, 0.5, 0.5);
        QueryWorld queries = queries(PAST_TICKS);
        ticks(3);
        queries.at(now());
        assertThat(down(queries, 0)).isCloseTo(14.5, within(0.02));
        assertThat(hits.bodyId(0)).as("not attached").isZero();
        simulation.attach(wall, 7);
        ticks(1);
        long attached = history.newestTick();
        long id = simulation.idOf(wall);
        removeDetached(wall);
        ticks(1);
        queries.at(now());
        assertThat(down(queries, 0)).as("no more").isCloseTo(20, within(0.02));
        queries.at(history.at(attached, 0));
        assertThat(down(queries, 0)).isCloseTo(14.5, within(0.02));
        assertThat(hits.bodyId(0)).isEqualTo(id);
    }

    @Test
    void shouldFindOnlyWhatTheFilterAccepts() {
        attach(game.addBox(0, 3), 3);
        attach(game.addBox(0, 6), 6);
        QueryWorld queries = queries(0);
        ticks(3);
        queries.at(now());
        assertThat(queries.rayAll(0, 20, 0, 0, -20.5, 0, QueryFilter.ALL, hits)).isEqualTo(3);
        assertThat(List.of(hits.userData(0), hits.userData(1), hits.userData(2)))
                .containsExactly(6L, 3L, 0L);
        QueryFilter lower = QueryFilter.ALL.only((id, userData) -> userData == 3);
        assertThat(queries.ray(0, 20, 0, 0, -20.5, 0, lower, hits)).isTrue();
        assertThat(hits.userData(0)).isEqualTo(3);
        assertThat(queries.rayAll(0, 20, 0, 0, -20.5, 0, lower, hits)).isEqualTo(1);
        assertThat(queries.ray(0, 20, 0, 0, -20.5, 0, QueryFilter.groups(0), hits))
                .isFalse();
        assertThat(queries.overlap(new Box(0.4f, 4, 0.4f), 0, 4.5, 0, 0, 0, 0, 1, lower, hits))
                .isPositive();
        assertThat(hits.userData(0)).isEqualTo(3);
        QueryFilter throwing = QueryFilter.ALL.only((id, userData) -> {
            throw new IllegalStateException("mine");
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> queries.ray(0, 20, 0, 0, -20.5, 0, throwing, hits))
                .withMessage("mine");
        assertThat(queries.ray(0, 20, 0, 0, -20.5, 0, QueryFilter.ALL, hits)).isTrue();
        assertThat(queries.overlap(new Box(0.1f, 0.1f, 0.1f), 9, 9, 0, 0, 0, 0, 1, QueryFilter.ALL, hits))
                .isZero();
    }

    @Test
    void shouldRefuseWhatItCannotAnswer() throws Exception {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> simulation.queryWorld(-1))
                .withMessageContaining("pastTicks must be 0 or more, but is -1");
        QueryWorld queries = queries(0);
        assertThatIllegalStateException().isThrownBy(() -> down(queries, 0)).withMessageContaining("call at(view)");
        ticks(3);
        queries.at(now());
        for (double bad : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> queries.ray(1, 2, 3, bad, 0, 0, QueryFilter.ALL, hits))
                    .withMessageContaining("starts at (1.0, 2.0, 3.0) and goes along (" + bad + ", 0.0, 0.0) m");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queries.overlap(form(0), 1, 2, 3, 0, 0, 0, 0, QueryFilter.ALL, hits))
                .withMessageContaining("a unit quaternion");
        List<Throwable> refusals = new ArrayList<>();
        Thread other = new Thread(() -> {
            try {
                queries.at(now());
            } catch (IllegalStateException refusal) {
                refusals.add(refusal);
            }
        });
        other.start();
        other.join();
        assertThat(refusals).singleElement().asString().contains("a query world belongs to one thread");
        queries.close();
        queries.close();
        assertThatIllegalStateException().isThrownBy(() -> queries.at(now())).withMessageContaining("was closed");
        QueryWorld again = queries(0);
        again.at(now());
        for (Form bad : List.of(new TriangleMesh(new float[9]), new Sphere(Float.NaN), new Box(1, 0, 1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> again.overlap(bad, 0, 0, 0, 0, 0, 0, 1, QueryFilter.ALL, hits))
                    .withMessageContaining("a capsule with sizes above 0 m, but got " + bad);
        }
        ticks(2);
        again.at(now());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> again.at(history.at(history.newestTick() - 1, 0)))
                .withMessageContaining("with N more than 0");
        for (Runnable call : List.<Runnable>of(again::close, () -> again.at(now()), () -> down(again, 0))) {
            QueryFilter calling = QueryFilter.ALL.only((id, userData) -> {
                call.run();
                return true;
            });
            assertThatIllegalStateException()
                    .isThrownBy(() -> again.ray(0, 20, 0, 0, -20.5, 0, calling, new QueryHits()))
                    .withMessageContaining("a predicate must not ask");
        }
        assertThat(down(again, 0)).isCloseTo(20, within(0.02));
    }

    @Test
    void shouldAnswerFarFromZeroAsExactlyAsNearIt() {
        double far = 1e7;
        game.addFixed(3, 5, 0, 0, 0.5, 0.5);
        attach(game.addBox(0, 5), 7);
        simulation.originShifted(far, 0, 0);
        QueryWorld queries = queries(0);
        ticks(3);
        queries.at(now());
        assertThat(down(queries, far)).isCloseTo(14.5, within(0.01));
        assertThat(hits.bodyId(0)).isNotZero();
        assertThat(hits.point(0, 0)).isCloseTo(far, within(0.001));
        assertThat(down(queries, far + 3)).isCloseTo(14.5, within(0.01));
        assertThat(hits.bodyId(0)).as("not attached").isZero();
    }

    @Test
    void shouldAnswerWhilePhysicsHangs() throws Exception {
        attach(game.addBox(0, 5), 7);
        QueryWorld queries = queries(0);
        ticks(3);
        driver.close();
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        WorldSimulation<W, B> second = wrap(game);
        try (PhysicsService physics = PhysicsService.builder(second).start()) {
            CompletableFuture<?> hang = physics.command(tick -> {
                hangs.countDown();
                released.await();
                return tick;
            });
            hangs.await();
            queries.at(now());
            assertThat(down(queries, 0)).isCloseTo(14.5, within(0.1));
            released.countDown();
            hang.join();
        }
    }

    @Test
    void shouldLeaveTheBitsOfARunAlone() throws Exception {
        long alone = run(0);
        close();
        start();
        assertThat(run(4)).isEqualTo(alone);
    }

    /** Runs a scene of falling bodies, beside some threads that ask all the time. Returns the hash of the last state. */
    private long run(int askers) throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 30; i++) {
            attach(queried().addForm(KINDS.get(i % 4), pose(random, 6)), i);
        }
        reader.close(); // a service has four
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch asked = new CountDownLatch(askers);
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < askers; i++) {
            QueryWorld queries = simulation.queryWorld(0);
            FrameView view = FrameView.inline(driver.newReader());
            Thread asker = new Thread(() -> {
                try (queries;
                        view) {
                    QueryHits own = new QueryHits();
                    while (!done.get()) {
                        if (view.advance(30_000_000)) {
                            queries.at(view);
                            for (int ray = 0; ray < 20; ray++) {
                                queries.ray(ray - 10, 20, 0, 0.5, -25, 0, QueryFilter.ALL, own);
                                queries.overlap(form(0), ray - 10, 1, 0, 0, 0, 0, 1, QueryFilter.ALL, own);
                            }
                            asked.countDown();
                        }
                    }
                } catch (RuntimeException | Error e) {
                    failures.add(e);
                    asked.countDown();
                }
            });
            threads.add(asker);
            asker.start();
        }
        tick(3);
        asked.await();
        tick(100);
        done.set(true);
        for (Thread asker : threads) {
            asker.join();
        }
        assertThat(failures).isEmpty();
        return simulation.hash();
    }
}
