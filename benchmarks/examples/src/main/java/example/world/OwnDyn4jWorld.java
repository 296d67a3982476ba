package example.world;

import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import org.dyn4j.dynamics.Body;
import org.dyn4j.dynamics.joint.RevoluteJoint;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.world.World;

public class OwnDyn4jWorld {

    static Dyn4jWorldSimulation<Body> makeWorld() {
        World<Body> world = new World<>();
        Dyn4jWorldSimulation<Body> simulation = new Dyn4jWorldSimulation<>(world);
        Body previous = null;
        for (int link = 0; link < 8; link++) {
            Body body = new Body();
            body.addFixture(Geometry.createSquare(1));
            body.setMass(link == 0 ? MassType.INFINITE : MassType.NORMAL);
            body.translate(1.2 * link, 9);
            world.addBody(body);
            simulation.attach(body, link);
            if (previous != null) {
                world.addJoint(new RevoluteJoint<>(previous, body, new Vector2(1.2 * link - 0.6, 9)));
            }
            previous = body;
        }
        return simulation;
    }
}
