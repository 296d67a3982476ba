package example.platformer;

import com.badlogic.gdx.Input.Keys;
import com.badlogic.gdx.math.MathUtils;
import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.Fixture;
import com.badlogic.gdx.physics.box2d.FixtureDef;
import com.badlogic.gdx.physics.box2d.PolygonShape;
import com.badlogic.gdx.physics.box2d.World;
import dev.escapement.physics.box2d.Box2dNatives;
import dev.escapement.physics.box2d.Box2dWorldSimulation;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.ArrayList;
import java.util.List;

/** A level and its rules: two players run, jump, ride a lift, push crates and take gems. Physics thread only. */
final class Level extends ForwardingSimulation {

    private static final float RUN = 5; // m/s
    private static final float JUMP = 9; // m/s, enough to jump two metres high
    private static final int LIFT_TICKS = 300; // the time that the lift moves in one direction

    final Box2dWorldSimulation box2d;
    private final World world;
    private final Body one;
    private final Body two;
    private final Body lift;
    private final List<Body> gems = new ArrayList<>();

    static Level make() {
        Box2dNatives.load(); // before the first object of Box2D
        World world = new World(new Vector2(0, -20), true);
        return new Level(new Box2dWorldSimulation(world, (stepped, dt) -> stepped.step(dt, 8, 3)));
    }

    private Level(Box2dWorldSimulation box2d) {
        super(box2d);
        this.box2d = box2d;
        world = box2d.world();
        // Player one has slot 0, because bodies get slots in the order in which they are attached.
        one = add(Kind.PLAYER_ONE, BodyType.DynamicBody, -2, 1);
        two = add(Kind.PLAYER_TWO, BodyType.DynamicBody, 2, 1); // player two has slot 1
        add(Kind.GROUND, BodyType.StaticBody, 0, -0.5f);
        lift = add(Kind.LIFT, BodyType.KinematicBody, 0, 0.15f);
        for (int side = -1; side <= 1; side += 2) {
            for (int step = 1; step <= 3; step++) {
                add(Kind.LEDGE, BodyType.StaticBody, side * (9 - 2 * step), 1.4f * step);
                gems.add(add(Kind.GEM, BodyType.StaticBody, side * (9 - 2 * step), 1.4f * step + 0.7f));
                add(Kind.CRATE, BodyType.DynamicBody, side * 10, 2.5f * step);
            }
        }
    }

    private Body add(Kind kind, BodyType type, float x, float y) {
        BodyDef at = new BodyDef();
        at.type = type;
        at.position.set(x, y);
        at.angle = kind == Kind.GEM ? MathUtils.PI / 4 : 0;
        at.fixedRotation = kind == Kind.PLAYER_ONE || kind == Kind.PLAYER_TWO;
        PolygonShape box = new PolygonShape();
        box.setAsBox(kind.width / 2, kind.height / 2);
        FixtureDef fixture = new FixtureDef();
        fixture.shape = box;
        fixture.density = 10;
        fixture.friction = at.fixedRotation ? 0 : 0.5f; // with friction, players would stick to walls
        fixture.isSensor = kind == Kind.GEM;
        Body body = world.createBody(at);
        body.createFixture(fixture);
        box.dispose();
        box2d.attach(body, kind.number()); // a body that is not attached is simulated but not shown
        return body;
    }

    @Override
    public void step(Tick tick) throws Exception {
        move(one, -2, tick.input(), Keys.A, Keys.D, Keys.W);
        move(two, 2, tick.input(), Keys.LEFT, Keys.RIGHT, Keys.UP);
        boolean up = (tick.number() - 1) / LIFT_TICKS % 2 == 0;
        // The lift also carries the bodies that stand on it. If it moved sideways, the player's velocity would have to
        // include the lift's.
        lift.setLinearVelocity(0, up ? 1.4f : -1.4f);
        gems.removeIf(this::isTaken);
        super.step(tick);
    }

    private void move(Body player, float startX, InputFrame input, int left, int right, int jump) {
        float x = (input.state().isKeyDown(right) ? RUN : 0) - (input.state().isKeyDown(left) ? RUN : 0);
        boolean jumps = isPressed(input, jump) && isOnGround(player);
        player.setLinearVelocity(x, jumps ? JUMP : player.getLinearVelocity().y);
        if (player.getPosition().y < -8) { // a fallen player begins again
            player.setTransform(startX, 1, 0);
            player.setLinearVelocity(0, 0);
            box2d.teleported(player); // frames must not interpolate this jump
        }
    }

    /** Whether a key is down, or was down at any time since the previous tick, however shortly. */
    private static boolean isPressed(InputFrame input, int key) {
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            if (event.kind() == InputKind.KEY_DOWN && event.code() == key) {
                return true;
            }
        }
        return input.state().isKeyDown(key);
    }

    private boolean isOnGround(Body player) {
        Vector2 at = player.getPosition();
        List<Fixture> below = new ArrayList<>();
        world.QueryAABB(below::add, at.x - 0.33f, at.y - 0.55f, at.x + 0.33f, at.y - 0.5f);
        return below.stream().anyMatch(fixture -> fixture.getBody() != player && !fixture.isSensor());
    }

    private boolean isTaken(Body gem) {
        Vector2 at = gem.getPosition();
        if (at.dst(one.getPosition()) > 0.8f && at.dst(two.getPosition()) > 0.8f) {
            return false;
        }
        box2d.detach(gem); // before removing it, because an attached body has to be in the world
        world.destroyBody(gem);
        return true;
    }

    @Override
    public void close() {
        super.close(); // makes the simulation release the world
        world.dispose();
    }
}
