package dev.escapement.physics.dyn4j;

import dev.escapement.physics.world.GameWorld;
import org.dyn4j.collision.CategoryFilter;
import org.dyn4j.dynamics.Body;
import org.dyn4j.dynamics.joint.RevoluteJoint;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.geometry.Transform;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.world.World;
import org.jspecify.annotations.Nullable;

class Dyn4jGame implements GameWorld<World<Body>, Body> {

    private final World<Body> world = new World<>();
    private final Body floor;

    Dyn4jGame() {
        world.setGravity(0, -9.81);
        floor = addFixed(0, -0.5, 0, 0, 30, 0.5);
    }

    @Override
    public World<Body> world() {
        return world;
    }

    @Override
    public Body addPlatform(double x, double y) {
        return addFixed(x, y, 0, 0, 4, 0.25);
    }

    @Override
    public void remove(Body body) {
        world.removeBody(body);
    }

    @Override
    public void setVelocity(Body body, double vx, double vy) {
        body.setAtRest(false);
        body.setLinearVelocity(vx, vy);
    }

    @Override
    public boolean spin(Body body, double wx, double wy, double wz) {
        world.getSettings().setMaximumRotation(1000);
        body.setAngularDamping(0);
        body.setAngularVelocity(wz);
        return true;
    }

    @Override
    public void turn(Body body, double angle) {
        Transform to = body.getTransform().copy();
        to.setRotation(angle);
        body.setTransform(to);
    }

    @Override
    public void place(Body body, double x, double y) {
        Transform to = body.getTransform().copy();
        to.setTranslation(x, y);
        body.setTransform(to);
    }

    @Override
    public boolean join(Body body, @Nullable Body other, double x, double y) {
        world.addJoint(new RevoluteJoint<>(body, other == null ? floor : other, new Vector2(x, y)));
        return true;
    }

    @Override
    public Body addFixed(double x, double y, double... boxes) {
        return add(x, y, MassType.INFINITE, boxes);
    }

    @Override
    public Body addShaped(double x, double y, double... boxes) {
        return add(x, y, MassType.NORMAL, boxes);
    }

    private Body add(double x, double y, MassType type, double... boxes) {
        Body body = new Body();
        for (int i = 0; i < boxes.length; i += 4) {
            Convex box = Geometry.createRectangle(2 * boxes[i + 2], 2 * boxes[i + 3]);
            box.translate(boxes[i], boxes[i + 1]);
            body.addFixture(box, 1, 0.6, 0).setFilter(new CategoryFilter(1, -1));
        }
        body.setMass(type);
        body.translate(x, y);
        world.addBody(body);
        return body;
    }

    @Override
    public boolean setSensor(Body body, boolean isSensor) {
        body.getFixtures().forEach(fixture -> fixture.setSensor(isSensor));
        return true;
    }

    @Override
    public boolean touchNothing(Body body) {
        body.getFixtures().forEach(fixture -> fixture.setFilter(new CategoryFilter(1, 0)));
        return true;
    }

    @Override
    public boolean removeShape(Body body) {
        body.removeFixture(body.getFixtureCount() - 1);
        return true;
    }

    @Override
    public void step(double dtSeconds) {
        world.step(1, dtSeconds);
    }

    /** Returns the engine's pose, computed with trigonometry, which the simulation avoids. */
    @Override
    public double[] pose(Body body) {
        Transform at = body.getTransform();
        double half = Math.atan2(at.getSint(), at.getCost()) / 2;
        return new double[] {at.getTranslationX(), at.getTranslationY(), 0, 0, 0, Math.sin(half), Math.cos(half)};
    }

    @Override
    public boolean isAsleep(Body body) {
        return body.isAtRest();
    }

    @Override
    public void close() {}
}
