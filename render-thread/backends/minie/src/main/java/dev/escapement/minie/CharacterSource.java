package dev.escapement.minie;

import com.jme3.bullet.collision.PhysicsCollisionObject;
import com.jme3.bullet.control.BetterCharacterControl;
import com.jme3.bullet.control.CharacterControl;
import com.jme3.bullet.control.PhysicsControl;
import com.jme3.bullet.objects.PhysicsCharacter;
import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import com.simsilica.mathd.Vec3d;
import dev.escapement.physics.world.Part;
import dev.escapement.state.capture.PoseWriter;

/** Writes where a character stands, turned to where it looks, as its control's own {@code update} would. */
final class CharacterSource implements Part.Source {

    private final PhysicsCollisionObject object;
    private final PhysicsControl control;
    private final Vec3d location = new Vec3d();
    private final Vector3f forward = new Vector3f();
    private final Vector3f up = new Vector3f();
    private final Quaternion rotation = new Quaternion();

    CharacterSource(PhysicsCollisionObject object, PhysicsControl control) {
        this.object = object;
        this.control = control;
    }

    @Override
    public void write(int slot, PoseWriter poses) {
        if (control instanceof BetterCharacterControl better) {
            object.getPhysicsRotation(rotation);
            rotation.mult(Vector3f.UNIT_Y, up);
            rotation.mult(better.getViewDirection(forward), forward);
            float climb = forward.dot(up);
            forward.subtractLocal(climb * up.x, climb * up.y, climb * up.z); // it looks up, but does not lean back
        } else {
            ((CharacterControl) control).getViewDirection(forward);
            ((PhysicsCharacter) object).getUpDirection(up);
        }
        rotation.lookAt(forward, up);
        object.getPhysicsLocationDp(location);
        poses.setInWorld(
                slot,
                location.x,
                location.y,
                location.z,
                rotation.getX(),
                rotation.getY(),
                rotation.getZ(),
                rotation.getW());
    }

    @Override
    public Object engineObject() {
        return object;
    }
}
