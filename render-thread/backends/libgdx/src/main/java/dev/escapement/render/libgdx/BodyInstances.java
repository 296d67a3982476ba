package dev.escapement.render.libgdx;

import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.utils.Array;
import com.badlogic.gdx.utils.ObjectIntMap;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneBodies;
import dev.escapement.render.scene.SceneOrigin;

/**
 * A model instance for every body: made when the body appears, dropped when it vanishes, and moved in between.
 *
 * <pre>{@code
 * FrameView view = FrameView.of(physics.newReader());
 * BodyInstances crates = new BodyInstances(view, (bodyId, userData) -> new ModelInstance(crate));
 *
 * public void render() {
 *     crates.advance(System.nanoTime());               // once a frame, before other code looks at the view
 *     batch.begin(camera);
 *     batch.render(crates.instances(), environment);
 *     batch.end();
 * }
 * }</pre>
 *
 * <p>All of {@code transform} is the body's: what scales a model belongs to the model's nodes. Models and the view remain their
 * maker's. The render thread only.
 *
 * @see BodyInstance
 */
public final class BodyInstances extends SceneBodies<ModelInstance> {

    private static final int NONE = -1;

    private final InstanceFactory factory;
    private final Array<ModelInstance> instances = new Array<>(false, 16);

    /** Where each stands in the array. */
    private final ObjectIntMap<ModelInstance> places = new ObjectIntMap<>();

    /**
     * Instances in a scene that has its zero where the world has.
     *
     * @param view    what they show
     * @param factory makes them
     */
    public BodyInstances(FrameView view, InstanceFactory factory) {
        this(view, factory, new SceneOrigin());
    }

    /**
     * Instances in a large world.
     *
     * @param view    what they show
     * @param factory makes them
     * @param origin  where the scene has its zero
     */
    public BodyInstances(FrameView view, InstanceFactory factory, SceneOrigin origin) {
        super(view, origin);
        this.factory = factory;
    }

    /**
     * The instances of all bodies in the frame.
     *
     * @return always the same array, in no order; to be read only
     */
    public Array<ModelInstance> instances() {
        return instances;
    }

    @Override
    protected ModelInstance add(long bodyId, long userData) {
        ModelInstance instance = factory.create(bodyId, userData);
        if (instance == null) {
            throw refusal(bodyId, userData, "no instance: return one, of an empty Model if the body is not to be seen");
        }
        if (places.containsKey(instance)) {
            throw refusal(bodyId, userData, "the instance of another body: return another for each body, a copy() say");
        }
        places.put(instance, instances.size);
        instances.add(instance);
        return instance;
    }

    @Override
    protected void remove(ModelInstance instance) {
        int place = places.remove(instance, NONE);
        instances.removeIndex(place);
        if (place < instances.size) {
            places.put(instances.get(place), place); // the last one took its place
        }
    }

    @Override
    protected void place(ModelInstance instance, float x, float y, float z, float qx, float qy, float qz, float qw) {
        instance.transform.set(x, y, z, qx, qy, qz, qw);
    }
}
