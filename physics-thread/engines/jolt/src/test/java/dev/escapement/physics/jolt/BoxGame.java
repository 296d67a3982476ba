package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.world.BodyRestorer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A game of boxes. It either keeps removed boxes and adds them again, or destroys them and creates other boxes. */
final class BoxGame implements BodyRestorer<Body>, AutoCloseable {

    static final int BOXES = 12;
    private static final int KEPT = 8;
    private static final Comparator<Body> BY_ID = Comparator.comparingInt(Body::getId);

    /** A change of the world: a box comes, or the box with the highest id goes. */
    record Change(boolean comes) {

        static final CommandType<Change, Integer> TYPE = CommandType.of(
                "change", 1, (change, to) -> to.writeBoolean(change.comes()), from -> new Change(from.readBoolean()));
    }

    final JoltGameWorld world = new JoltGameWorld();
    final List<Body> boxes = new ArrayList<>();
    final List<Body> kept = new ArrayList<>();
    final JoltWorldSimulation simulation;
    private final boolean keeps;

    BoxGame(boolean keeps) {
        this.keeps = keeps;
        for (int box = 0; box < BOXES; box++) {
            boxes.add(world.addBox(0.3 * (box % 3), 1 + 1.1 * box));
        }
        for (int box = 0; keeps && box < KEPT; box++) {
            remove(world.addBox(1, 20 + 2 * box), 0);
        }
        simulation = world.simulateWithoutContacts();
        boxes.forEach(box -> simulation.attach(box, boxes.indexOf(box)));
        simulation.commands().on(Change.TYPE, (tick, change) -> change(change.comes()));
    }

    /** Adds the kept box with the lowest id, or a new one; or removes the box with the highest id. */
    int change(boolean comes) {
        if (comes) {
            Body box = keeps ? addAgain(kept.stream().min(BY_ID).orElseThrow()) : addNew(1, 20);
            simulation.attach(box, boxes.size());
        } else {
            Body gone = boxes.stream().max(BY_ID).orElseThrow();
            simulation.detach(gone);
            remove(gone, 0);
        }
        return boxes.size();
    }

    private Body addNew(double x, double y) {
        Body box = world.addBox(x, y);
        boxes.add(box);
        return box;
    }

    /** Adds a kept box again, in the state of a new one. */
    private Body addAgain(Body box) {
        BodyInterface bodies = world.bodyInterface();
        bodies.setPositionAndRotation(box.getId(), new RVec3(1, 20, 0), new Quat(), EActivation.DontActivate);
        bodies.setLinearVelocity(box.getId(), new Vec3());
        bodies.setAngularVelocity(box.getId(), new Vec3());
        bodies.addBody(box.getId(), EActivation.Activate);
        kept.remove(box);
        boxes.add(box);
        return box;
    }

    @Override
    public Body restore(long engineId, long userData) {
        return !keeps
                ? addNew(-7, 90)
                : addAgain(kept.stream()
                        .filter(box -> box.getId() == engineId)
                        .findFirst()
                        .orElseThrow());
    }

    @Override
    public void remove(Body box, long userData) {
        boxes.remove(box);
        if (keeps) {
            world.bodyInterface().removeBody(box.getId());
            kept.add(box);
        } else {
            world.remove(box);
        }
    }

    @Override
    public void close() {
        simulation.close();
        world.close();
    }
}
