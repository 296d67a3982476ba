package example.jme;

import com.jme3.math.Vector2f;
import com.jme3.math.Vector3f;
import com.jme3.renderer.Camera;
import dev.escapement.physics.query.QueryFilter;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWorld;

/** Finds the body under the cursor of jMonkeyEngine. */
final class Picking {

    private Picking() {}

    /** Returns the body that the cursor points at, 0 if none, with {@code inputManager.getCursorPosition()}. */
    static long underCursor(QueryWorld queries, Camera camera, Vector2f cursor, QueryHits hits) {
        Vector3f near = camera.getWorldCoordinates(cursor, 0);
        Vector3f way = camera.getWorldCoordinates(cursor, 1).subtractLocal(near);
        return queries.ray(near.x, near.y, near.z, way.x, way.y, way.z, QueryFilter.ALL, hits) ? hits.bodyId(0) : 0;
    }
}
