package example.world;

import com.badlogic.gdx.math.collision.Ray;
import dev.escapement.physics.query.QueryFilter;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWorld;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.History;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.world.BodyShape.Box;
import dev.escapement.state.world.BodyShape.Form;
import dev.escapement.state.world.BodyShape.Sphere;
import java.util.Arrays;
import org.joml.Matrix4fc;
import org.joml.Vector3d;
import org.joml.Vector3f;

/** Questions of a game about the picture that it shows, on the thread that shows it. */
final class AskingTheWorld implements AutoCloseable {

    private static final float REACH_METRES = 100;
    private static final Form LENS = new Sphere(0.3f);
    private static final Form WALL = new Box(2, 1, 0.25f);

    private final QueryWorld queries; // simulation.queryWorld(0) for a view, queryWorld(100) for 100 ticks of a history
    private final QueryHits hits = new QueryHits(); // reused: answers are valid until the next question
    private final Vector3d origin = new Vector3d(); // of the picture, from which cameras measure

    AskingTheWorld(QueryWorld queries) {
        this.queries = queries;
    }

    /** Sets the moment of the questions. Call it in each frame in which view.advance(...) returned true. */
    void frame(FrameView view) {
        queries.at(view);
        origin.set(view.shown().originX(), view.shown().originY(), view.shown().originZ());
    }

    /** Returns the body under a pixel, counted from the upper left; 0 for the sky, and for what is not attached. */
    long underCursor(Matrix4fc worldToClip, float x, float y, int width, int height) {
        Vector3f near = new Vector3f();
        Vector3f way = new Vector3f();
        worldToClip.unprojectRay(x, height - y, new int[] {0, 0, width, height}, near, way);
        return firstHit(near.x, near.y, near.z, way.normalize(REACH_METRES));
    }

    private long firstHit(float x, float y, float z, Vector3f way) {
        boolean isHit =
                queries.ray(origin.x + x, origin.y + y, origin.z + z, way.x, way.y, way.z, QueryFilter.ALL, hits);
        return isHit ? hits.bodyId(0) : 0;
    }

    /** Returns the body that a ray of libGDX hits, from {@code camera.getPickRay(Gdx.input.getX(), Gdx.input.getY())}. */
    long underCursor(Ray ray) {
        Vector3f way = new Vector3f(ray.direction.x, ray.direction.y, ray.direction.z);
        return firstHit(ray.origin.x, ray.origin.y, ray.origin.z, way.normalize(REACH_METRES));
    }

    /** Keeps what the server has published. Call it in each round of the thread that judges. */
    static void remember(SnapshotReader reader, History history) {
        if (reader.acquire()) {
            history.add(reader.window());
        }
    }

    /** Returns the body that a shot hits, 0 if none. A client sends view.clock().tick() and alpha() of its picture. */
    long judge(History history, long tick, float alpha, Vector3f from, Vector3f way, long shooter) {
        queries.at(history.at(tick, alpha));
        QueryFilter others = QueryFilter.ALL.only((bodyId, userData) -> bodyId != shooter);
        return queries.ray(from.x, from.y, from.z, way.x, way.y, way.z, others, hits) ? hits.bodyId(0) : 0;
    }

    /** Returns the fraction of a camera's arm that is free, 0 to 1, for a ball with a radius of 30 cm. */
    float freeArm(Vector3f head, Vector3f arm, QueryFilter walls) {
        boolean isHit = queries.sweep(LENS, head.x, head.y, head.z, 0, 0, 0, 1, arm.x, arm.y, arm.z, walls, hits);
        return isHit ? hits.fraction(0) : 1;
    }

    /** Fills the distances that the sensor of a robot measures all around, metres; infinite where nothing is. */
    void scan(Vector3f sensor, float[] metres, QueryFilter obstacles) {
        Arrays.fill(metres, Float.POSITIVE_INFINITY);
        for (int ray = 0; ray < metres.length; ray++) {
            double angle = 2 * Math.PI * ray / metres.length;
            double wayX = REACH_METRES * Math.cos(angle);
            double wayZ = REACH_METRES * Math.sin(angle);
            if (queries.ray(sensor.x, sensor.y, sensor.z, wayX, 0, wayZ, obstacles, hits)) {
                metres[ray] = REACH_METRES * hits.fraction(0);
            }
        }
    }

    /** Returns whether a wall of 4 m may be built here. The command that builds it asks again, because physics is ahead. */
    boolean mayBuild(double x, double y, double z) {
        return queries.overlap(WALL, x, y, z, 0, 0, 0, 1, QueryFilter.ALL, hits) == 0;
    }

    @Override
    public void close() {
        queries.close();
    }
}
