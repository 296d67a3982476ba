import dev.escapement.physics.PhysicsService
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation
import dev.escapement.render.FrameView
import org.dyn4j.dynamics.Body
import org.dyn4j.geometry.Geometry
import org.dyn4j.geometry.MassType
import org.dyn4j.geometry.Vector2
import org.dyn4j.world.World
import org.joml.Vector3f

fun main() {
    val simulation = makeWorld()
    PhysicsService.start(simulation).use { physics -> // 100 ticks a second on a thread of its own
        val id = physics.query { simulation.idOf(simulation.world().getBody(1)) }.join().value()
        physics.command { push(simulation, id) }
        FrameView.of(physics.newReader()).use { view ->
            repeat(60) {
                if (view.advance(System.nanoTime())) {
                    val at = view.position(id, Vector3f())
                    println("the box is %.2f m along, %.2f m high".format(at.x, at.y))
                }
                Thread.sleep(50) // in place of a window's wait for the display
            }
        }
    }
}

fun makeWorld(): Dyn4jWorldSimulation<Body> {
    val simulation = Dyn4jWorldSimulation(World<Body>())
    for (number in 0L..1L) { // the floor, and a box
        val body = Body()
        body.addFixture(if (number == 0L) Geometry.createRectangle(60.0, 1.0) else Geometry.createSquare(1.0))
        body.setMass(if (number == 0L) MassType.INFINITE else MassType.NORMAL)
        body.translate(0.0, if (number == 0L) -0.5 else 5.0)
        simulation.world().addBody(body)
        simulation.attach(body, number)
    }
    return simulation
}

/** Pushes a body; call it in a command. {@code bodyOf} returns null for a body that was removed. */
fun push(simulation: Dyn4jWorldSimulation<Body>, id: Long): Boolean {
    val body: Body = simulation.bodyOf(id) ?: return false
    body.applyImpulse(Vector2(2.0, 0.0))
    return true
}
