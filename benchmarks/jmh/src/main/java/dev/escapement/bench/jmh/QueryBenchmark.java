package dev.escapement.bench.jmh;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.JobSystemSingleThreaded;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.MapObj2Bp;
import com.github.stephengold.joltjni.ObjVsBpFilter;
import com.github.stephengold.joltjni.ObjVsObjFilter;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RRayCast;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastResult;
import com.github.stephengold.joltjni.TempAllocatorMalloc;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.query.QueryFilter;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWorld;
import dev.escapement.render.tools.History;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.ManualClock;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures a query world of Jolt: a moment in which some bodies have moved by 2 cm, and a ray, beside a ray in the system that is stepped.
 * As many static bodies as moving ones are in the world. Both rays read the hit body's id, and the normal.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class QueryBenchmark {

    static final long MISS = Long.MIN_VALUE;

    private static final int RAYS = 1024;
    private static final float STEP_METRES = 0.02f;

    @Param({"1000", "10000"})
    int bodies = 1000;

    /** The percentage of bodies that move between two moments. */
    @Param({"1", "100"})
    int movedPercent = 1;

    private final ManualClock clock = new ManualClock(0);
    private final QueryHits hits = new QueryHits();
    private final double[] rays = new double[6 * RAYS];
    private PhysicsSystem system;
    private BodyInterface bodyInterface;
    private InlineDriver driver;
    private QueryWorld queries;
    private WritableSnapshot snapshot;
    private Body[] stepped;
    private long tick;
    private int ray;

    private final ShownWorld moment = new ShownWorld() {
        @Override
        public Snapshot shown() {
            return snapshot;
        }

        @Override
        public PoseBlocks poses() {
            return snapshot.poses();
        }
    };

    @SuppressWarnings("NullAway.Init") // start() sets the fields
    public QueryBenchmark() {}

    @Setup
    public void start() {
        JoltNatives.load();
        system = new PhysicsSystem();
        MapObj2Bp layers = new MapObj2Bp(2, 2).add(0, 0).add(1, 1);
        system.init(3 * bodies, 0, 4096, 4096, layers, new ObjVsBpFilter(2, 2), new ObjVsObjFilter(2));
        bodyInterface = system.getBodyInterfaceNoLock();
        JoltWorldSimulation simulation = new JoltWorldSimulation(
                system, new TempAllocatorMalloc(), new JobSystemSingleThreaded(Jolt.cMaxPhysicsJobs));
        SplittableRandom random = new SplittableRandom(7);
        double span = 4 * Math.cbrt(bodies);
        stepped = new Body[3 * bodies];
        for (int i = 0; i < bodies; i++) {
            add(random, span, EMotionType.Static, 0);
            simulation.attach(add(random, span, EMotionType.Kinematic, 1), i);
        }
        system.optimizeBroadPhase();
        for (int i = 0; i < rays.length; i++) {
            rays[i] = span * random.nextDouble();
        }
        for (int i = 3; i < rays.length; i += i % 6 == 5 ? 4 : 1) { // the ends become ways
            rays[i] -= rays[i - 3];
        }
        driver = PhysicsService.builder(simulation).inline(clock);
        queries = simulation.queryWorld(0);
        History history = new History(3, 1L << 28);
        try (SnapshotReader reader = driver.newReader()) {
            for (tick = 1; tick <= 3; tick++) {
                clock.advance(10_000_000);
                driver.runDueTicks();
                if (reader.acquire()) {
                    history.add(reader.window());
                }
            }
        }
        snapshot = new WritableSnapshot(bodies, PoseLayout.PLAIN);
        history.read(history.newestTick(), snapshot);
        queries.at(moment);
    }

    private Body add(SplittableRandom random, double span, EMotionType motion, int layer) {
        RVec3 at = new RVec3(span * random.nextDouble(), span * random.nextDouble(), span * random.nextDouble());
        Body body = bodyInterface.createBody(
                new BodyCreationSettings(new BoxShape(0.5f, 0.5f, 0.5f), at, new Quat(), motion, layer));
        bodyInterface.addBody(body, EActivation.DontActivate);
        stepped[body.getId() & 0x7F_FFFF] = body;
        return body;
    }

    @TearDown
    public void close() {
        queries.close();
        driver.close();
    }

    /** A moment. The bodies move back and forth, so that the world looks the same all the time. */
    @Benchmark
    public QueryWorld at() {
        snapshot.startTick(++tick, 0);
        float step = (tick & 1) == 0 ? STEP_METRES : -STEP_METRES;
        int stride = 100 / movedPercent;
        for (int slot = 0; slot < bodies; slot += stride) {
            snapshot.poses().blockOf(slot).px[slot & PoseBlock.MASK] += step;
        }
        queries.at(moment);
        return queries;
    }

    @Benchmark
    public long ray() {
        int i = 6 * (ray++ & (RAYS - 1));
        boolean isHit = queries.ray(
                rays[i], rays[i + 1], rays[i + 2], rays[i + 3], rays[i + 4], rays[i + 5], QueryFilter.ALL, hits);
        return isHit ? hits.bodyId(0) + (long) hits.normal(0, 1) : MISS;
    }

    @Benchmark
    public long enginesOwnRay() {
        int i = 6 * (ray++ & (RAYS - 1));
        RVec3 from = new RVec3(rays[i], rays[i + 1], rays[i + 2]);
        Vec3 way = new Vec3((float) rays[i + 3], (float) rays[i + 4], (float) rays[i + 5]);
        try (RRayCast cast = new RRayCast(from, way);
                RayCastResult hit = new RayCastResult()) {
            if (!system.getNarrowPhaseQueryNoLock().castRay(cast, hit)) {
                return MISS;
            }
            Vec3 normal = stepped[hit.getBodyId() & 0x7F_FFFF].getWorldSpaceSurfaceNormal(
                    hit.getSubShapeId2(), cast.getPointOnRay(hit.getFraction()));
            return hit.getBodyId() + (long) normal.getY();
        }
    }
}
