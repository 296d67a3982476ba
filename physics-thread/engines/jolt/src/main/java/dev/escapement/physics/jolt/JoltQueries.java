package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.CapsuleShape;
import com.github.stephengold.joltjni.CollideShapeResult;
import com.github.stephengold.joltjni.CollideShapeSettings;
import com.github.stephengold.joltjni.CustomCastRayCollector;
import com.github.stephengold.joltjni.CustomCastShapeCollector;
import com.github.stephengold.joltjni.CustomCollideShapeCollector;
import com.github.stephengold.joltjni.JobSystem;
import com.github.stephengold.joltjni.JobSystemSingleThreaded;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastSettings;
import com.github.stephengold.joltjni.ShapeCastResult;
import com.github.stephengold.joltjni.ShapeCastSettings;
import com.github.stephengold.joltjni.ShapeRefC;
import com.github.stephengold.joltjni.SphereShape;
import com.github.stephengold.joltjni.TempAllocator;
import com.github.stephengold.joltjni.TempAllocatorMalloc;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EBackFaceMode;
import com.github.stephengold.joltjni.readonly.ConstBroadPhaseLayerInterface;
import com.github.stephengold.joltjni.readonly.ConstShape;
import dev.escapement.physics.query.QueryEngine;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWear;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jolt's queries, in a second system that shares the layers and filters of the one that is stepped.
 *
 * <p>A moved body widens the nodes of the broad phase's tree above it. Once bodies have moved by a quarter of their size on average, or one
 * came or went, Jolt repairs the trees that have changed: an update of length 0 does this, and nothing else. Static bodies are in trees of
 * their own in most games, and stay as they are.
 *
 * <p>One thread at a time. Queries allocate nothing on the Java heap, apart from the point and normal of an overlap or a sweep, which the
 * JIT compiler removes.
 */
final class JoltQueries implements QueryEngine<BodyCreationSettings, JoltQueries.Copy> {

    /** A body in {@link #system}. */
    static final class Copy extends QueryWear.Copy {

        final Body body;
        final int id;
        final int slot;
        final long groups;

        Copy(Body body, int slot, long groups) {
            super(size(body.getWorldSpaceBounds().getExtent()));
            this.body = body;
            this.slot = slot;
            this.groups = groups;
            id = body.getId();
        }

        private static double size(Vec3 half) {
            return Math.max(half.getX(), Math.max(half.getY(), half.getZ()));
        }
    }

    /** Bodies in the stepped system, static ones that it may have lost, and those of two moments, which exist together for a while. */
    private static final int ROOM = 3;

    private static final int MAX_LAYER = 63;

    private final PhysicsSystem system = new PhysicsSystem(); // a new system without bodies and step listeners
    private final BodyInterface bodyInterface;
    private final JoltQueryCalls calls;
    private final ConstBroadPhaseLayerInterface layers;
    private final TempAllocator allocator = new TempAllocatorMalloc();
    private final JobSystem jobs = new JobSystemSingleThreaded(Jolt.cMaxPhysicsJobs);

    /** Index: the place of a body in {@link #system}. */
    private final @Nullable Copy[] copies;

    private final Map<Form, ShapeRefC> shapes = new HashMap<>();
    private final QueryWear wear = new QueryWear();

    /** Whether a body came or went since the last repair. */
    private boolean changed;

    private boolean built;

    // Scratch objects, because new ones for each call would be garbage.
    private final RVec3 at = new RVec3();
    private final RVec3 way = new RVec3();
    private final FloatBuffer normal = ByteBuffer.allocateDirect(3 * Float.BYTES)
            .order(ByteOrder.nativeOrder())
            .asFloatBuffer();
    private final Quat rotation = new Quat();
    private final RayCastSettings raySettings = new RayCastSettings();
    private final CollideShapeSettings collideSettings = new CollideShapeSettings();
    private final ShapeCastSettings sweepSettings = new ShapeCastSettings();
    private QueryHits hits = new QueryHits();

    private final CustomCastRayCollector rayHits = new CustomCastRayCollector() {
        @Override
        public void addHit(long resultVa) {
            reportRay(resultVa);
        }
    };

    private final CustomCollideShapeCollector overlaps = new CustomCollideShapeCollector() {
        @Override
        public void addHit(long resultVa) {
            report(new CollideShapeResult(resultVa), 0);
        }
    };

    private final CustomCastShapeCollector sweepHits = new CustomCastShapeCollector() {
        @Override
        public void addHit(long resultVa) {
            ShapeCastResult result = new ShapeCastResult(resultVa);
            report(result, result.getFraction());
        }
    };

    JoltQueries(PhysicsSystem queried) {
        layers = queried.getBroadPhaseLayerInterface();
        int maxBodies = Math.min(ROOM * queried.getMaxBodies(), BodyReads.PLACE);
        copies = new Copy[maxBodies];
        JoltCalls.init(
                system, maxBodies, 1, 1, layers, JoltCalls.broadPhaseFilter(queried), JoltCalls.pairFilter(queried));
        bodyInterface = JoltCalls.bodies(system);
        calls = new JoltQueryCalls(system);
        // The nearest hit of a ray counts triangles from both sides, so all hits do too.
        raySettings.setBackFaceModeTriangles(EBackFaceMode.CollideWithBackFaces);
    }

    @Override
    public void begin() {
        requireLayers(layers);
    }

    /** Throws if the game has freed the layers, because Jolt would end the JVM. */
    static void requireLayers(ConstBroadPhaseLayerInterface layers) {
        if (!layers.hasAssignedNativeObject()) {
            throw new IllegalStateException("the game has freed the layers of the queried system, which query worlds"
                    + " use too; close query worlds before");
        }
    }

    @Override
    public Copy add(BodyCreationSettings settings, int slot) {
        Body body = bodyInterface.createBody(settings);
        Copy copy = new Copy(body, slot, 1L << Math.min(settings.getObjectLayer(), MAX_LAYER));
        bodyInterface.addBody(body, EActivation.DontActivate);
        copies[copy.id & BodyReads.PLACE] = copy;
        if (slot >= 0) {
            wear.add(copy);
        }
        changed = true;
        return copy;
    }

    @Override
    public void remove(Copy copy) {
        copies[copy.id & BodyReads.PLACE] = null;
        bodyInterface.removeBody(copy.id);
        bodyInterface.destroyBody(copy.id);
        if (copy.slot >= 0) {
            wear.remove(copy);
        }
        changed = true;
    }

    @Override
    public void move(Copy copy, double x, double y, double z, float qx, float qy, float qz, float qw) {
        wear.move(copy, x, y, z, qx, qy, qz);
        at.set(x, y, z);
        rotation.set(qx, qy, qz, qw);
        bodyInterface.setPositionAndRotation(copy.id, at, rotation, EActivation.DontActivate);
    }

    @Override
    public void moved() {
        if (!built) {
            system.optimizeBroadPhase();
            built = true;
        } else if (changed || wear.isWorn()) {
            for (int layer = layers.getNumBroadPhaseLayers(); layer > 0; layer--) { // an update repairs one tree
                system.update(0, 1, allocator, jobs);
            }
        } else {
            return;
        }
        changed = false;
        wear.repaired();
    }

    @Override
    public void free(BodyCreationSettings settings) {
        settings.close();
    }

    @Override
    public void ray(double x, double y, double z, double wayX, double wayY, double wayZ, QueryHits into) {
        begin(into, x, y, z, wayX, wayY, wayZ);
        long ray = JoltQueryCalls.newRay(x, y, z, (float) wayX, (float) wayY, (float) wayZ);
        try {
            if (into.isFirstOnly() && into.acceptsAll()) {
                castNearest(ray);
            } else {
                calls.castRay(ray, raySettings.va(), rayHits.va());
            }
        } finally {
            JoltQueryCalls.freeRay(ray);
        }
    }

    private void begin(QueryHits into, double x, double y, double z, double wayX, double wayY, double wayZ) {
        hits = into;
        at.set(x, y, z);
        way.set(wayX, wayY, wayZ);
    }

    private void castNearest(long ray) {
        long result = JoltQueryCalls.newResult();
        try {
            if (calls.castRay(ray, result)) {
                reportRay(result);
            }
        } finally {
            JoltQueryCalls.freeResult(result);
        }
    }

    private void reportRay(long result) {
        Copy copy = copies[JoltQueryCalls.rayBody(result) & BodyReads.PLACE];
        float fraction = JoltQueryCalls.rayFraction(result);
        int shape = JoltQueryCalls.rayShape(result);
        if (copy == null || !hits.wants(copy.slot, copy.groups, shape, fraction)) {
            return;
        }
        double x = at.xx() + fraction * way.xx();
        double y = at.yy() + fraction * way.yy();
        double z = at.zz() + fraction * way.zz();
        if (fraction == 0) {
            hits.add(x, y, z, 0, 0, 0); // the ray begins in the body
            return;
        }
        JoltQueryCalls.normal(copy.body.va(), shape, x, y, z, normal);
        hits.add(x, y, z, normal.get(0), normal.get(1), normal.get(2));
    }

    @Override
    public void overlap(
            Form form, double x, double y, double z, float qx, float qy, float qz, float qw, QueryHits into) {
        begin(into, x, y, z, 0, 0, 0);
        long placed = JoltQueryCalls.newTransform(qx, qy, qz, qw, x, y, z);
        try {
            calls.collide(shape(form), placed, collideSettings.va(), x, y, z, overlaps.va());
        } finally {
            JoltQueryCalls.freeTransform(placed);
        }
    }

    @Override
    public void sweep(
            Form form,
            double x,
            double y,
            double z,
            float qx,
            float qy,
            float qz,
            float qw,
            double wayX,
            double wayY,
            double wayZ,
            QueryHits into) {
        begin(into, x, y, z, wayX, wayY, wayZ);
        long start = JoltQueryCalls.newTransform(qx, qy, qz, qw, x, y, z);
        long sweep = JoltQueryCalls.newSweep(shape(form), start, (float) wayX, (float) wayY, (float) wayZ);
        try {
            calls.sweep(sweep, sweepSettings.va(), x, y, z, sweepHits.va());
        } finally {
            JoltQueryCalls.freeSweep(sweep);
            JoltQueryCalls.freeTransform(start);
        }
    }

    private void report(CollideShapeResult result, float fraction) {
        Copy copy = copies[result.getBodyId2() & BodyReads.PLACE];
        if (copy == null || !hits.wants(copy.slot, copy.groups, result.getSubShapeId2(), fraction)) {
            return;
        }
        Vec3 on = result.getContactPointOn2(); // measured from `at`
        Vec3 out = result.getPenetrationAxis(); // along it, the body would leave the form
        float length = -(float) Math.sqrt(out.getX() * out.getX() + out.getY() * out.getY() + out.getZ() * out.getZ());
        if (length == 0) {
            length = 1;
        }
        hits.add(
                at.xx() + on.getX(),
                at.yy() + on.getY(),
                at.zz() + on.getZ(),
                out.getX() / length,
                out.getY() / length,
                out.getZ() / length);
    }

    /** Returns the address of the engine's shape of a form. */
    private long shape(Form form) {
        ShapeRefC known = shapes.get(form);
        if (known == null) {
            known = create(form).toRefC();
            shapes.put(form, known);
        }
        return known.targetVa();
    }

    private static ConstShape create(Form form) {
        if (form instanceof BodyShape.Box box) {
            return new BoxShape(new Vec3(box.halfX(), box.halfY(), box.halfZ()), 0); // sharp edges
        }
        if (form instanceof BodyShape.Sphere ball) {
            return new SphereShape(ball.radius());
        }
        BodyShape.Capsule capsule = (BodyShape.Capsule) form;
        return new CapsuleShape(capsule.halfHeight(), capsule.radius());
    }

    @Override
    public void close() {
        shapes.values().forEach(ShapeRefC::close);
        shapes.clear();
        rayHits.close();
        overlaps.close();
        sweepHits.close();
        raySettings.close();
        collideSettings.close();
        sweepSettings.close();
        calls.close();
        system.close(); // also frees the bodies
        jobs.close();
        allocator.close();
    }
}
