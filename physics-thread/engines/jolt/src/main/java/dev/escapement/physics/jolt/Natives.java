package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.JoltPhysicsObject;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Native objects that are freed together, the last one created first: each may point to earlier ones.
 *
 * <p>Freed explicitly, because the binding's own cleaner must not run beside an explicit {@code close()}.
 */
final class Natives implements AutoCloseable {

    private final Deque<JoltPhysicsObject> objects = new ArrayDeque<>();

    <T extends JoltPhysicsObject> T own(T object) {
        objects.push(object);
        return object;
    }

    @Override
    public void close() {
        while (!objects.isEmpty()) {
            objects.pop().close();
        }
    }
}
