package dev.escapement.minie;

import com.jme3.bullet.control.AbstractPhysicsControl;
import com.jme3.bullet.control.PhysicsControl;
import com.jme3.bullet.control.RigidBodyControl;
import com.jme3.bullet.control.VehicleControl;
import com.jme3.bullet.objects.VehicleWheel;
import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The spatial of a control or a wheel, at the pose that a frame shows. The render thread places it. */
final class ShownSpatial {

    private final @Nullable Spatial spatial;
    private final BooleanSupplier isLocal;

    /** Often children of the spatial, so that they are placed again after it. */
    final List<ShownSpatial> wheels = new ArrayList<>();

    private final Vector3f location = new Vector3f();
    private final Quaternion rotation = new Quaternion();
    private final Vector3f localLocation = new Vector3f();
    private final Quaternion localRotation = new Quaternion();

    /**
     * Creates an element without a pose.
     *
     * @param spatial null for a body that nothing shows
     * @param isLocal whether the pose counts from the spatial's parent, not from the world
     */
    ShownSpatial(@Nullable Spatial spatial, BooleanSupplier isLocal) {
        this.spatial = spatial;
        this.isLocal = isLocal;
    }

    static ShownSpatial of(PhysicsControl control) {
        if (control instanceof RigidBodyControl body) {
            return new ShownSpatial(body.getSpatial(), body::isApplyPhysicsLocal);
        }
        if (control instanceof AbstractPhysicsControl character) {
            return new ShownSpatial(character.getSpatial(), character::isApplyPhysicsLocal);
        }
        VehicleControl vehicle = (VehicleControl) control;
        ShownSpatial chassis = new ShownSpatial(vehicle.getSpatial(), vehicle::isApplyPhysicsLocal);
        for (int i = 0; i < vehicle.getNumWheels(); i++) {
            VehicleWheel wheel = vehicle.getWheel(i);
            chassis.wheels.add(new ShownSpatial(wheel.getWheelSpatial(), wheel::isApplyLocal));
        }
        return chassis;
    }

    void place(float x, float y, float z, float qx, float qy, float qz, float qw) {
        location.set(x, y, z);
        rotation.set(qx, qy, qz, qw);
        place();
        for (int i = 0; i < wheels.size(); i++) {
            wheels.get(i).place();
        }
    }

    private void place() {
        if (spatial == null) {
            return;
        }
        Node parent = isLocal.getAsBoolean() ? null : spatial.getParent();
        if (parent == null) {
            spatial.setLocalTranslation(location);
            spatial.setLocalRotation(rotation);
        } else {
            spatial.setLocalTranslation(parent.worldToLocal(location, localLocation));
            localRotation.set(parent.getWorldRotation()).inverseLocal().multLocal(rotation);
            spatial.setLocalRotation(localRotation);
        }
    }
}
