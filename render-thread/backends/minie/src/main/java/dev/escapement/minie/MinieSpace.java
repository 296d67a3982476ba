package dev.escapement.minie;

import com.jme3.bullet.collision.PhysicsCollisionObject;
import com.jme3.bullet.control.BetterCharacterControl;
import com.jme3.bullet.control.CharacterControl;
import com.jme3.bullet.control.PhysicsControl;
import com.jme3.bullet.control.RigidBodyControl;
import com.jme3.bullet.control.VehicleControl;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Vector3f;
import com.jme3.scene.Spatial;
import dev.escapement.physics.bullet.BulletNatives;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.bullet.UnboundPhysicsSpace;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.Part;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A space of Minie whose controls move on a physics thread, while frames show their spatials.
 *
 * <p>Add and remove spatials and controls as in any other space: {@link RigidBodyControl}, {@link VehicleControl}, {@link CharacterControl}
 * and {@link BetterCharacterControl}. The space keeps a control that is in it disabled, because jMonkeyEngine would otherwise let it read
 * and write its body on the render thread. {@code setEnabled(false)} still takes a body out of the space, and {@code setEnabled(true)} puts
 * it back.
 *
 * <p><b>Threads.</b> Until a {@link MinieAppState} has started, the game's thread may touch the space. From then on only the physics thread
 * may, that is, {@code physics().execute(tick -> ...)}, {@code enqueue} of this space, and all listeners of this space:
 * {@code PhysicsTickListener}, {@code PhysicsCollisionListener}, {@code ContactListener} and {@code PhysicsCollisionGroupListener}. A
 * listener that wants to change the scene calls {@code application.enqueue}.
 *
 * <p><b>Limitations.</b> A kinematic control is moved by {@code setPhysicsLocation} in a {@code PhysicsTickListener}, not by its spatial.
 * {@code setApplyScale} has no effect. A vehicle shows the wheels that it has when it is added. Remove a static body before you give it a
 * mass, and add it afterwards. Ghosts that follow a spatial, soft bodies, ragdolls and debug shapes are not shown.
 *
 * @see MinieAppState
 */
public final class MinieSpace extends UnboundPhysicsSpace {

    private final BulletWorldSimulation simulation;
    private final IdentityHashMap<PhysicsCollisionObject, Attached> attached = new IdentityHashMap<>();

    /** By the user data of their bodies. The physics thread writes, the render thread reads. */
    private final Map<Long, ShownSpatial> spatials = new ConcurrentHashMap<>();

    private final Vector3f location = new Vector3f();
    private long bodies;

    /** An object whose control the space keeps disabled, with all that shows it. */
    private record Attached(PhysicsControl control, List<Runnable> detachments) {}

    /**
     * Creates an empty space, which reaches 10 km to each side.
     *
     * @param broadphaseType the algorithm that finds pairs that may touch; {@code BulletAppState} takes {@code DBVT}
     */
    public MinieSpace(BroadphaseType broadphaseType) {
        super(loaded(broadphaseType));
        simulation = new BulletWorldSimulation(this);
    }

    private static BroadphaseType loaded(BroadphaseType type) {
        BulletNatives.load(); // before the constructor of the space, which calls native code
        return type;
    }

    /** {@return the simulation that ticks this space, for example to call {@code teleported(control)}} The space attaches its bodies. */
    public BulletWorldSimulation simulation() {
        return simulation;
    }

    /** Returns the simulation for a service: it also delivers collisions to the listeners of the space. */
    Simulation ticks() {
        return new ForwardingSimulation(simulation) {
            @Override
            public void step(Tick tick) throws Exception {
                attached.values().forEach(MinieSpace.this::prepare);
                super.step(tick);
                distributeEvents(); // before the capture, so that frames show what listeners change
            }
        };
    }

    private void prepare(Attached each) {
        if (each.control.isEnabled()) {
            throw new IllegalStateException("the control " + each.control + " is in " + this + " and was enabled,"
                    + " so that jMonkeyEngine's thread reads its body during steps; do not call setEnabled(true) while it is"
                    + " in the space");
        }
        if (each.control instanceof BetterCharacterControl character) {
            // Otherwise the control, which is disabled, would look for the ground where it stood in the beginning.
            character.warp(character.getRigidBody().getPhysicsLocation(location));
        }
    }

    /** Returns what shows the body with this user data; for a body that was removed before its first frame, nothing. */
    ShownSpatial spatial(long userData) {
        ShownSpatial spatial = spatials.get(userData);
        return spatial == null ? new ShownSpatial(null, () -> true) : spatial;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException for a control of another kind than those named above
     */
    @Override
    public void add(Object object) {
        if (object instanceof PhysicsControl control && objectOf(control) == null) {
            throw new IllegalArgumentException(object + " cannot be shown from another thread: add a RigidBodyControl,"
                    + " VehicleControl, CharacterControl or BetterCharacterControl, or objects without a control");
        }
        super.add(object);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if a control that moves has no spatial, or follows its spatial
     * @throws IllegalStateException    if another thread ticks the space
     */
    @Override
    public void addCollisionObject(PhysicsCollisionObject object) {
        simulation.world(); // refuses other threads
        PhysicsControl control = contains(object) ? null : controlOf(object);
        super.addCollisionObject(object);
        if (control != null) {
            control.setEnabled(false); // only a flag while a control adds itself
            attach(object, control);
        }
    }

    @Override
    public void removeCollisionObject(PhysicsCollisionObject object) {
        simulation.world(); // refuses other threads
        Attached removed = attached.remove(object);
        if (removed != null) {
            removed.detachments.forEach(Runnable::run);
        }
        super.removeCollisionObject(object);
        if (removed != null) {
            removed.control.setEnabled(true); // only a flag while a control removes itself
        }
    }

    private @Nullable PhysicsControl controlOf(PhysicsCollisionObject object) {
        if (object instanceof RigidBodyControl control) {
            boolean isStatic = control.getMass() == PhysicsRigidBody.massForStatic;
            if (control.getSpatial() == null && !isStatic) {
                throw new IllegalArgumentException(control + " has no spatial to move: call spatial.addControl(control)"
                        + " before space.add(control), or add a PhysicsRigidBody");
            }
            if (control.isKinematic() && control.isKinematicSpatial()) {
                throw new IllegalArgumentException(control + " follows its spatial, which another thread moves: call"
                        + " setKinematicSpatial(false), and setPhysicsLocation in a PhysicsTickListener");
            }
            return control.getSpatial() == null ? null : control;
        }
        if (object instanceof VehicleControl control) {
            return control;
        }
        if (object.getUserObject() instanceof Spatial spatial) {
            for (int i = 0; i < spatial.getNumControls(); i++) {
                if (spatial.getControl(i) instanceof PhysicsControl control && object.equals(objectOf(control))) {
                    return control;
                }
            }
        }
        return null;
    }

    private static @Nullable PhysicsCollisionObject objectOf(PhysicsControl control) {
        if (control instanceof CharacterControl character) {
            return character.getCharacter();
        }
        boolean isBody = control instanceof RigidBodyControl || control instanceof VehicleControl;
        return control instanceof BetterCharacterControl character
                ? character.getRigidBody()
                : isBody ? (PhysicsCollisionObject) control : null;
    }

    private void attach(PhysicsCollisionObject object, PhysicsControl control) {
        Attached added = new Attached(control, new ArrayList<>());
        ShownSpatial shown = ShownSpatial.of(control);
        if (control instanceof PhysicsRigidBody body) {
            simulation.attach(body, number(shown, added));
            added.detachments.add(() -> simulation.detach(body));
            for (int i = 0; i < shown.wheels.size(); i++) {
                attachPart(simulation.wheel((VehicleControl) control, i), shown.wheels.get(i), added);
            }
        } else {
            attachPart(new CharacterSource(object, control), shown, added);
        }
        attached.put(object, added);
    }

    private void attachPart(Part.Source source, ShownSpatial shown, Attached added) {
        added.detachments.add(simulation.attachPart(source, number(shown, added))::detach);
    }

    private long number(ShownSpatial shown, Attached added) {
        long number = ++bodies;
        spatials.put(number, shown);
        added.detachments.add(() -> spatials.remove(number));
        return number;
    }
}
