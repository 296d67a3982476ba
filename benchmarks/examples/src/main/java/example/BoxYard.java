package example;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.JobSystem;
import com.github.stephengold.joltjni.JobSystemThreadPool;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.JoltPhysicsObject;
import com.github.stephengold.joltjni.MapObj2Bp;
import com.github.stephengold.joltjni.ObjVsBpFilter;
import com.github.stephengold.joltjni.ObjVsObjFilter;
import com.github.stephengold.joltjni.PhysicsSettings;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.TempAllocator;
import com.github.stephengold.joltjni.TempAllocatorImplWithMallocFallback;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import dev.escapement.physics.jolt.JoltNatives;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A game's world in Jolt: boxes above a floor, in layers of a grid, each a little off its grid point so that the pile topples. */
public final class BoxYard implements AutoCloseable {

    public static final float FLOOR_HALF_EXTENT = 15;

    public static final float BOX_HALF_EXTENT = 0.5f;

    private static final int STATIC = 0;
    private static final int MOVING = 1;
    private static final int LAYERS = 2;
    private static final int MAX_CONTACTS = 65_536;
    private static final int TEMPORARY_BYTES = 80 << 20;
    private static final int BOXES_PER_ROW = 6;
    private static final double SPACING_METRES = 1.25;

    public final PhysicsSystem system;
    public final TempAllocator allocator;
    public final JobSystem jobs;
    public final List<Body> boxes = new ArrayList<>();
    private final Deque<JoltPhysicsObject> natives = new ArrayDeque<>();

    public BoxYard(int boxCount) {
        this(boxCount, 0);
    }

    /** Creates a yard with {@code boxCount} boxes. Another {@code room} boxes can be added later. */
    public BoxYard(int boxCount, int room) {
        JoltNatives.load(); // before the first object of Jolt
        MapObj2Bp layers = own(new MapObj2Bp(LAYERS, LAYERS));
        layers.add(STATIC, STATIC).add(MOVING, MOVING);
        ObjVsBpFilter broadPhaseFilter = own(new ObjVsBpFilter(LAYERS, LAYERS));
        ObjVsObjFilter pairFilter = own(new ObjVsObjFilter(LAYERS));
        pairFilter.disablePair(STATIC, STATIC);
        allocator = own(new TempAllocatorImplWithMallocFallback(TEMPORARY_BYTES));
        jobs = own(new JobSystemThreadPool(Jolt.cMaxPhysicsJobs, Jolt.cMaxPhysicsBarriers, 1));
        system = own(new PhysicsSystem());
        system.init(boxCount + 1 + room, 0, MAX_CONTACTS, MAX_CONTACTS, layers, broadPhaseFilter, pairFilter);
        try (PhysicsSettings settings = system.getPhysicsSettings()) {
            settings.setDeterministicSimulation(true);
            system.setPhysicsSettings(settings);
        }
        add(new BoxShape(FLOOR_HALF_EXTENT, 1, FLOOR_HALF_EXTENT), 0, -1, 0, EMotionType.Static, STATIC);
        for (int box = 0; box < boxCount; box++) {
            int column = box % BOXES_PER_ROW;
            int row = box / BOXES_PER_ROW % BOXES_PER_ROW;
            int layer = box / (BOXES_PER_ROW * BOXES_PER_ROW);
            double x = (column - (BOXES_PER_ROW - 1) / 2.0) * SPACING_METRES + 0.013 * (box % 11);
            double y = 1 + layer * SPACING_METRES;
            double z = (row - (BOXES_PER_ROW - 1) / 2.0) * SPACING_METRES;
            boxes.add(add(x, y, z));
        }
    }

    /** Adds a box, which the caller must keep track of: {@link #boxes} does not contain it. */
    public Body add(double x, double y, double z) {
        return add(new BoxShape(BOX_HALF_EXTENT), x, y, z, EMotionType.Dynamic, MOVING);
    }

    /** Removes and frees a box. Nothing may use the box afterwards. */
    public void remove(Body box) {
        int id = box.getId();
        system.getBodyInterface().removeBody(id);
        system.getBodyInterface().destroyBody(id);
    }

    private Body add(BoxShape shape, double x, double y, double z, EMotionType motion, int layer) {
        BodyInterface bodies = system.getBodyInterface();
        try (shape;
                BodyCreationSettings settings =
                        new BodyCreationSettings(shape, new RVec3(x, y, z), new Quat(), motion, layer)) {
            Body body = bodies.createBody(settings);
            bodies.addBody(body, EActivation.Activate);
            return body;
        }
    }

    private <T extends JoltPhysicsObject> T own(T object) {
        natives.push(object);
        return object;
    }

    /** Frees the objects in the reverse order of their creation, because an object may point to earlier ones. */
    @Override
    public void close() {
        natives.forEach(JoltPhysicsObject::close);
        natives.clear();
    }
}
