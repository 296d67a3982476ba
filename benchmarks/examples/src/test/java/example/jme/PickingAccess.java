package example.jme;

import com.jme3.math.Vector2f;
import com.jme3.renderer.Camera;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWorld;

/** Opens {@link Picking} to the test of the page that shows it. */
public final class PickingAccess {

    private PickingAccess() {}

    public static long underCursor(QueryWorld queries, Camera camera, float x, float y, QueryHits hits) {
        return Picking.underCursor(queries, camera, new Vector2f(x, y), hits);
    }
}
