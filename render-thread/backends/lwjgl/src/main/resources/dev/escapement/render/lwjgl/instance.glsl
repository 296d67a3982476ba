// Where an instance is and how large, for every pass that draws the bodies.
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 cornerNormal;
layout(location = 2) in vec3 position;
layout(location = 3) in vec4 rotation;
layout(location = 4) in vec4 shape; // half the extents; then 0 for a box, 1 for a sphere

uniform mat4 worldToClip;
uniform int boxCount;

const float MARKER_SCALE = 0.6;

bool isMarker() {
    return gl_InstanceID >= boxCount;
}

vec3 rotated(vec3 v) {
    return v + 2.0 * cross(rotation.xyz, cross(rotation.xyz, v) + rotation.w * v);
}

bool isSphere() {
    return shape.w > 0.5;
}

vec3 worldCorner() {
    vec3 at = isSphere() ? normalize(corner) : corner;
    return position + rotated(at * shape.xyz * (isMarker() ? MARKER_SCALE : 1.0));
}

