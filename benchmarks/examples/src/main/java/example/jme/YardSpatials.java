package example.jme;

import com.jme3.asset.AssetManager;
import com.jme3.material.Material;
import com.jme3.math.ColorRGBA;
import com.jme3.scene.Geometry;
import com.jme3.scene.Spatial;
import com.jme3.scene.shape.Box;

/** What crates and the platform look like. */
final class YardSpatials {

    private final Material wood;
    private final Material steel;

    YardSpatials(AssetManager assets) {
        wood = unshaded(assets, ColorRGBA.Brown);
        steel = unshaded(assets, ColorRGBA.Gray);
    }

    Spatial crate() {
        float half = Yard.CRATE_HALF_WIDTH;
        return box("crate", new Box(half, half, half), wood);
    }

    Spatial platform() {
        float half = Yard.PLATFORM_HALF_WIDTH;
        return box("platform", new Box(half, Yard.PLATFORM_HALF_HEIGHT, half), steel);
    }

    private static Spatial box(String name, Box mesh, Material material) {
        Geometry geometry = new Geometry(name, mesh);
        geometry.setMaterial(material);
        return geometry;
    }

    private static Material unshaded(AssetManager assets, ColorRGBA colour) {
        Material material = new Material(assets, "Common/MatDefs/Misc/Unshaded.j3md");
        material.setColor("Color", colour);
        return material;
    }
}
